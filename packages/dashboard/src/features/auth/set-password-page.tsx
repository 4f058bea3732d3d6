import { PASSWORD_MIN_LENGTH } from '@burgee/contract'
import { Anchor, Button, Checkbox, Paper, PasswordInput, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { BASE_PATH } from '../../shared/api/base-path.ts'
import { call } from '../../shared/api/call.ts'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { AuthLayout } from '../../shared/ui/auth-layout.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import classes from './login-form.module.css'

/** Reads what follows `#token=`: a part of the address that browsers do not send to servers. */
const readToken = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? ''

/** The page of a one-time link: a person sets the password of their account. */
export function SetPasswordPage() {
  const [token] = useState(readToken)
  const { data, error } = useQuery({
    queryKey: ['one-time-link', token],
    queryFn: () => call('readLink', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [isDone, setDone] = useState(false)
  return (
    <AuthLayout title="Set password">
      <Paper withBorder p={{ base: 'lg', xs: 32 }} radius="lg" className={classes.card}>
        <Title order={1} size="h3" mb="md">
          {isDone ? 'Your password is set' : 'Set your password'}
        </Title>
        {error !== null && !isDone && <InvalidLink error={error} />}
        {!data && error === null && <Skeleton height={180} />}
        {data && !isDone && (
          <SetPasswordForm
            token={token}
            email={data.email}
            isFirst={data.purpose === 'invitation'}
            onDone={() => setDone(true)}
          />
        )}
        {isDone && (
          <Button component="a" href={`${BASE_PATH}/login`} fullWidth>
            Sign in
          </Button>
        )}
      </Paper>
    </AuthLayout>
  )
}

function InvalidLink({ error }: { readonly error: unknown }) {
  if (!hasStatus(error, 404) && !hasStatus(error, 422)) return <Failure error={error} />
  return (
    <Stack>
      <Text size="sm" role="alert">
        This link does not work any more: it was used, replaced by a newer one, or is older than an hour. Ask
        a workspace admin for a new one.
      </Text>
      <Anchor href={`${BASE_PATH}/login`} size="sm">
        Go to sign in
      </Anchor>
    </Stack>
  )
}

interface SetPasswordFormProps {
  readonly token: string
  readonly email: string
  readonly isFirst: boolean
  readonly onDone: () => void
}

function SetPasswordForm({ token, email, isFirst, onDone }: SetPasswordFormProps) {
  const [password, setPassword] = useState('')
  const [revoke_tokens, setRevoke] = useState(true)
  const { errors, failure, formProps, isBusy } = useSubmit(['password'], async () => {
    requireFilled([['password', password, 'Enter a new password.']])
    await call('redeemLink', { body: { token, password, password_policy: 'strict', revoke_tokens } })
    onDone()
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} />}
        <Text size="sm" c="dimmed">
          for <b>{email}</b>
        </Text>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_MIN_LENGTH} characters.`}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={errors.password}
        />
        {!isFirst && (
          <Checkbox
            label="Revoke my personal access tokens"
            description="Leave it on if someone else may know your password."
            checked={revoke_tokens}
            onChange={(event) => setRevoke(event.currentTarget.checked)}
          />
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          Set password
        </Button>
      </Stack>
    </form>
  )
}
