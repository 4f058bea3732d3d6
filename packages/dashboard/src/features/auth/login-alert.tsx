import { Alert, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { countdown } from './login-failure.ts'

interface LoginAlertProps {
  readonly message: string
  /** The seconds that are left of a lock; 0 if there is none. */
  readonly secondsLeft: number
  readonly untilMs: number
}

/**
 * The reason why the login failed. A lock counts down on the screen. A screen reader reads it once, with the
 * time at which it ends.
 */
export function LoginAlert({ message, secondsLeft, untilMs }: LoginAlertProps) {
  const isLocked = secondsLeft > 0
  return (
    <Alert
      color={isLocked ? 'yellow' : 'red'}
      role="alert"
      icon={isLocked ? <IconLock size={18} /> : <IconAlertTriangle size={18} />}
    >
      <Text size="sm">
        {message}
        {isLocked && (
          <>
            {' '}
            <span aria-hidden="true">
              Try again in <b>{countdown(secondsLeft)}</b>.
            </span>
            <VisuallyHidden>Try again at {clockTime(untilMs)}.</VisuallyHidden>
          </>
        )}
      </Text>
    </Alert>
  )
}

const clockTime = (ms: number): string =>
  new Date(ms).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
