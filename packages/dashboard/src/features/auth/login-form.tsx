import { Button, Stack, TextInput } from '@mantine/core'
import { CapsLockPassword } from './caps-lock-password.tsx'
import { LoginAlert } from './login-alert.tsx'
import { useLoginForm } from './use-login-form.ts'

/** E-mail and password; `onDone` is called when someone is signed in. */
export function LoginForm({ onDone }: { readonly onDone: () => void }) {
  const { credentials, set, submit, refs, isBusy, missing, message, lock } = useLoginForm(onDone)
  const isLocked = lock.secondsLeft > 0
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
          autoComplete="username"
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
          Log in
        </Button>
      </Stack>
    </form>
  )
}
