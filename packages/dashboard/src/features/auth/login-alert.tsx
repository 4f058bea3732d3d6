import { Alert, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { countdown } from './login-failure.ts'

interface LoginAlertProps {
  readonly message: string
  /** Of a lock; 0 where there is none. */
  readonly secondsLeft: number
  readonly untilMs: number
}

/** Why the login failed. A lock counts down on the screen; a screen reader reads it once, with the time of its end. */
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
