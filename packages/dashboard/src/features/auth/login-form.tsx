import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import { Failure } from '../../shared/ui/failure.tsx'

/** E-mail and password; `onDone` is called when somebody is signed in. */
export function LoginForm({ onDone }: { readonly onDone: () => void }) {
  const client = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>(null)
  const submit = async () => {
    try {
      const me = await call('login', { body: { email, password } })
      client.setQueryData(endpointKey('getCurrentUser', {}), me)
      onDone()
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack>
        {error !== null && <Failure error={error} />}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit">Log in</Button>
      </Stack>
    </form>
  )
}
