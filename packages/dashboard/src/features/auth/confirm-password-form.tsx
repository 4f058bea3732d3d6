import type { SecondFactor } from '@burgee/contract'
import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useRef, useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { CapsLockPassword } from './caps-lock-password.tsx'
import { CodeField } from './code-field.tsx'
import { LoginAlert } from './login-alert.tsx'
import { type LoginFailure, toLoginFailure } from './login-failure.ts'
import { requiredFactors } from './required-factors.ts'
import { useLock } from './use-lock.ts'

interface ConfirmPasswordFormProps {
  readonly email: string
  /** Called with true once the password was right, with false when the person gives up. */
  readonly onClose: (isConfirmed: boolean) => void
}

/** The password of the person who is signed in, and a second factor where the account has one. */
export function ConfirmPasswordForm({ email, onClose }: ConfirmPasswordFormProps) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [wantsRecovery, setRecovery] = useState(false)
  const { factors, failure, isBusy, lock, submit, field } = useConfirmation(email, onClose)
  const hasApp = factors?.includes('totp') === true
  const isRecovery = wantsRecovery || !hasApp
  const proof = isRecovery ? { recovery_code: code } : { totp: code }
  const isLocked = lock.secondsLeft > 0
  // A lock that is over is not shown.
  const isShown = failure !== null && (failure.kind === 'refused' || isLocked)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void submit({ password, ...(factors !== null && proof) })
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
        {factors !== null && (
          <>
            <CodeField key={String(isRecovery)} isRecovery={isRecovery} value={code} onChange={setCode} />
            {hasApp && factors.includes('recovery_code') && (
              <Anchor component="button" type="button" size="sm" onClick={() => setRecovery(!isRecovery)}>
                {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
              </Anchor>
            )}
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={isBusy}
            disabled={isLocked || password === '' || (factors !== null && code.trim() === '')}
          >
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
  const [factors, setFactors] = useState<readonly SecondFactor[] | null>(null)
  const lock = useLock(email)
  const field = useRef<HTMLInputElement>(null)
  const submit = async (body: { password: string; totp?: string; recovery_code?: string }) => {
    if (isBusy || lock.secondsLeft > 0) return
    setBusy(true)
    try {
      await call('reauthenticate', { body })
      onClose(true)
    } catch (error) {
      // The session has ended meanwhile: the login comes to the page by itself.
      if (hasStatus(error, 401)) return onClose(false)
      const next = requiredFactors(error)
      if (next !== null) return setFactors(next)
      const why = toLoginFailure(error)
      setFailure(why)
      if (why.kind === 'locked') lock.start(why.seconds)
      if (factors === null) field.current?.select()
    } finally {
      setBusy(false)
    }
  }
  return { factors, failure, isBusy, lock, submit, field }
}
