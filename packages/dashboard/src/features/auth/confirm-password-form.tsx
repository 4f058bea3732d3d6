import { Button, Group, Stack } from '@mantine/core'
import { useRef, useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { CapsLockPassword } from './caps-lock-password.tsx'
import { LoginAlert } from './login-alert.tsx'
import { type LoginFailure, toLoginFailure } from './login-failure.ts'
import { useLock } from './use-lock.ts'

interface ConfirmPasswordFormProps {
  readonly email: string
  /** Called with true once the password was right, with false when the person gives up. */
  readonly onClose: (isConfirmed: boolean) => void
}

/** The password of the person who is signed in, as a proof that it is still them. */
export function ConfirmPasswordForm({ email, onClose }: ConfirmPasswordFormProps) {
  const [password, setPassword] = useState('')
  const { failure, isBusy, lock, submit, field } = useConfirmation(email, onClose)
  const isLocked = lock.secondsLeft > 0
  // A lock that is over is not shown.
  const isShown = failure !== null && (failure.kind === 'refused' || isLocked)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void submit(password)
      }}
    >
      <Stack>
        {isShown && (
          <LoginAlert message={failure.message} secondsLeft={lock.secondsLeft} untilMs={lock.untilMs} />
        )}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <CapsLockPassword
          ref={field}
          label="Password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={isLocked || password === ''}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function useConfirmation(email: string, onClose: ConfirmPasswordFormProps['onClose']) {
  const [failure, setFailure] = useState<LoginFailure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const lock = useLock(email)
  const field = useRef<HTMLInputElement>(null)
  const submit = async (password: string) => {
    if (isBusy || lock.secondsLeft > 0) return
    setBusy(true)
    try {
      await call('reauthenticate', { body: { password } })
      onClose(true)
    } catch (error) {
      // The session has ended meanwhile: the login comes to the page by itself.
      if (hasStatus(error, 401)) return onClose(false)
      const why = toLoginFailure(error)
      setFailure(why)
      if (why.kind === 'locked') lock.start(why.seconds)
      field.current?.select()
    } finally {
      setBusy(false)
    }
  }
  return { failure, isBusy, lock, submit, field }
}
