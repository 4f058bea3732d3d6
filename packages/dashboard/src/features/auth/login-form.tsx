import { Button, Stack, TextInput } from '@mantine/core'
import { CapsLockPassword } from './caps-lock-password.tsx'
import { LoginAlert } from './login-alert.tsx'
import { useLoginForm } from './use-login-form.ts'

/** E-mail and password; `onDone` is called when somebody is signed in. */
export function LoginForm({ onDone }: { readonly onDone: () => void }) {
  const { credentials, set, submit, refs, is_busy, missing, message, lock } = useLoginForm(onDone)
  const is_locked = lock.seconds_left > 0
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
          <LoginAlert message={message} seconds_left={lock.seconds_left} until_ms={lock.until_ms} />
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
        <Button type="submit" loading={is_busy} disabled={is_locked} fullWidth mt={4}>
          Log in
        </Button>
      </Stack>
    </form>
  )
}
