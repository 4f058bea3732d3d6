import type { CurrentUser, SecondFactor } from '@burgee/contract'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { usePasskeyPlace } from '../../parts/passkeys/index.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { CodeField } from './code-field.tsx'
import { LoginAlert } from './login-alert.tsx'
import { type LoginFailure, toLoginFailure } from './login-failure.ts'
import { useLock } from './use-lock.ts'

/** The library of passkeys is loaded for those who have one. */
const PasskeyStep = lazy(async () => ({ default: (await import('./passkey-step.tsx')).PasskeyStep }))

interface SecondStepFormProps {
  readonly email: string
  readonly factors: readonly SecondFactor[]
  /** Called with the user once the code was right. */
  readonly onSignedIn: (user: CurrentUser) => void
  /** Called when the password has to be entered again; with the reason where it was not the person's wish. */
  readonly onRestart: (reason: string | null) => void
}

/** The second step of a login: a passkey, a code of the authenticator app, or a recovery code. */
export function SecondStepForm({ email, factors, onRestart, onSignedIn }: SecondStepFormProps) {
  const hasPasskey = usePasskeyPlace().kind === 'here' && factors.includes('passkey')
  const [chosen, choose] = useState<SecondFactor | null>(null)
  const [code, setCode] = useState('')
  const { failure, isBusy, lock, submit } = useSecondStep(email, { onRestart, onSignedIn })
  const isLocked = lock.secondsLeft > 0
  const shown = chosen ?? firstOf(factors, hasPasskey)
  const change = (factor: SecondFactor) => {
    setCode('')
    choose(factor)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (shown !== 'passkey') void submit({ [shown]: code })
      }}
    >
      <Stack>
        {failure !== null && (failure.kind === 'refused' || isLocked) && (
          <LoginAlert message={failure.message} secondsLeft={lock.secondsLeft} untilMs={lock.untilMs} />
        )}
        <Text size="sm">{INSTRUCTIONS[shown]}</Text>
        {shown !== 'passkey' && (
          <>
            <CodeField key={shown} isRecovery={shown === 'recovery_code'} value={code} onChange={setCode} />
            <Button type="submit" loading={isBusy} disabled={isLocked || code.trim() === ''} fullWidth>
              Sign in
            </Button>
          </>
        )}
        {hasPasskey && (
          <Suspense fallback={null}>
            <PasskeyStep isMain={shown === 'passkey'} onSignedIn={onSignedIn} onRestart={onRestart} />
          </Suspense>
        )}
        {CODES.filter(({ factor }) => factor !== shown && factors.includes(factor)).map(
          ({ factor, label }) => (
            <Anchor key={factor} component="button" type="button" size="sm" onClick={() => change(factor)}>
              {label}
            </Anchor>
          ),
        )}
        <Anchor component="button" type="button" size="sm" c="dimmed" onClick={() => onRestart(null)}>
          Back to the password
        </Anchor>
      </Stack>
    </form>
  )
}

const INSTRUCTIONS: Readonly<Record<SecondFactor, string>> = {
  totp: 'Enter the code that your authenticator app shows for Burgee.',
  recovery_code: 'Enter one of your recovery codes. It works once.',
  passkey: 'Confirm with one of your passkeys that it is you.',
}
const CODES = [
  { factor: 'totp', label: 'Use the authenticator app' },
  { factor: 'recovery_code', label: 'Use a recovery code' },
] as const

/** Returns the factor to begin with. Where passkeys do not work, it is a code. */
function firstOf(factors: readonly SecondFactor[], hasPasskey: boolean): SecondFactor {
  if (factors.includes('totp')) return 'totp'
  return hasPasskey ? 'passkey' : 'recovery_code'
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
