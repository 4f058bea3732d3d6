import { Alert, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { countdown } from './login-failure.ts'

interface LoginAlertProps {
  readonly message: string
  /** Of a lock; 0 where there is none. */
  readonly seconds_left: number
  readonly until_ms: number
}

/** Why nobody is signed in yet. A lock counts down for the eye; it is read out once, with the time at which it ends. */
export function LoginAlert({ message, seconds_left, until_ms }: LoginAlertProps) {
  const is_locked = seconds_left > 0
  return (
    <Alert
      color={is_locked ? 'yellow' : 'red'}
      role="alert"
      icon={is_locked ? <IconLock size={18} /> : <IconAlertTriangle size={18} />}
    >
      <Text size="sm">
        {message}
        {is_locked && (
          <>
            {' '}
            <span aria-hidden="true">
              Try again in <b>{countdown(seconds_left)}</b>.
            </span>
            <VisuallyHidden>Try again at {clockTime(until_ms)}.</VisuallyHidden>
          </>
        )}
      </Text>
    </Alert>
  )
}

const clockTime = (ms: number): string =>
  new Date(ms).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
