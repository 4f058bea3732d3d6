import { Button, Stack, TextInput } from '@mantine/core'
import { Suspense } from 'react'
import { usePasskeyPlace } from '../../parts/passkeys/index.ts'
import { CapsLockPassword } from './caps-lock-password.tsx'
import { PasskeyLogin, SecondStepForm } from './lazy-parts.ts'
import { LoginAlert } from './login-alert.tsx'
import { useLoginForm } from './use-login-form.ts'

/**
 * E-mail and password, then a second factor where the account has one; or a passkey. `onDone` follows the
 * login.
 */
export function LoginForm({ onDone }: { readonly onDone: () => void }) {
  const { factors, restart, signedIn, ...form } = useLoginForm(onDone)
  const { credentials, set, submit, refs, isBusy, missing, message, lock } = form
  const isLocked = lock.secondsLeft > 0
  const hasPasskeys = usePasskeyPlace().kind === 'here'
  if (factors !== null) {
    const { email } = credentials
    return (
      <Suspense fallback={null}>
        <SecondStepForm
          email={email}
          factors={factors}
          onRestart={restart}
          onSignedIn={(user) => void signedIn(user)}
        />
      </Suspense>
    )
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack>
        {message !== null && (
          <LoginAlert message={message} secondsLeft={lock.secondsLeft} untilMs={lock.untilMs} />
        )}
        <TextInput
          ref={refs.email}
          label="E-mail"
          type="email"
          autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus={credentials.email === '' || undefined}
          value={credentials.email}
          error={missing.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
        <CapsLockPassword
          ref={refs.password}
          label="Password"
          autoComplete="current-password"
          data-autofocus={credentials.email !== '' || undefined}
          value={credentials.password}
          error={missing.password}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
        <Button type="submit" loading={isBusy} disabled={isLocked} fullWidth mt={4}>
          Sign in
        </Button>
        {hasPasskeys && (
          <Suspense fallback={null}>
            <PasskeyLogin onSignedIn={(user) => void signedIn(user)} />
          </Suspense>
        )}
      </Stack>
    </form>
  )
}
