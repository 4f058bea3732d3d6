import type { CurrentUser, SecondFactor } from '@burgee/contract'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { CodeField } from './code-field.tsx'
import { LoginAlert } from './login-alert.tsx'
import { type LoginFailure, toLoginFailure } from './login-failure.ts'
import { useLock } from './use-lock.ts'

interface SecondStepFormProps {
  readonly email: string
  readonly factors: readonly SecondFactor[]
  /** Called with the user once the code was right. */
  readonly onSignedIn: (user: CurrentUser) => void
  /** Called when the password has to be entered again; with the reason where it was not the person's wish. */
  readonly onRestart: (reason: string | null) => void
}

/** The second step of a login: a code of the authenticator app, or a recovery code. */
export function SecondStepForm({ email, factors, onRestart, onSignedIn }: SecondStepFormProps) {
  const [isRecovery, setRecovery] = useState(!factors.includes('totp'))
  const [code, setCode] = useState('')
  const { failure, isBusy, lock, submit } = useSecondStep(email, { onRestart, onSignedIn })
  const isLocked = lock.secondsLeft > 0
  const change = () => {
    setCode('')
    setRecovery(!isRecovery)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void submit(isRecovery ? { recovery_code: code } : { totp: code })
      }}
    >
      <Stack>
        {failure !== null && (failure.kind === 'refused' || isLocked) && (
          <LoginAlert message={failure.message} secondsLeft={lock.secondsLeft} untilMs={lock.untilMs} />
        )}
        <Text size="sm">
          {isRecovery
            ? 'Enter one of your recovery codes. It works once.'
            : 'Enter the code that your authenticator app shows for Burgee.'}
        </Text>
        <CodeField key={String(isRecovery)} isRecovery={isRecovery} value={code} onChange={setCode} />
        <Button type="submit" loading={isBusy} disabled={isLocked || code.trim() === ''} fullWidth>
          Log in
        </Button>
        {factors.includes('totp') && factors.includes('recovery_code') && (
          <Anchor component="button" type="button" size="sm" onClick={change}>
            {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
          </Anchor>
        )}
        <Anchor component="button" type="button" size="sm" c="dimmed" onClick={() => onRestart(null)}>
          Back to the password
        </Anchor>
      </Stack>
    </form>
  )
}

type Handlers = Pick<SecondStepFormProps, 'onRestart' | 'onSignedIn'>

function useSecondStep(email: string, { onRestart, onSignedIn }: Handlers) {
  const [failure, setFailure] = useState<LoginFailure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const lock = useLock(email)
  const submit = async (body: { totp?: string; recovery_code?: string }) => {
    if (isBusy || lock.secondsLeft > 0) return
    setBusy(true)
    try {
      onSignedIn(await call('loginWithSecondFactor', { body }))
    } catch (error) {
      const why = toLoginFailure(error)
      if (error instanceof ApiError && error.body.reason === 'login_step_expired')
        return onRestart(why.message)
      setFailure(why)
      if (why.kind === 'locked') lock.start(why.seconds)
    } finally {
      setBusy(false)
    }
  }
  return { failure, isBusy, lock, submit }
}
