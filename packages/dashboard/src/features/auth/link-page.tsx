import { Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE_PATH } from '../../shared/api/base-path.ts'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { AuthLayout } from '../../shared/ui/auth-layout.tsx'
import { CapsLockPassword } from './caps-lock-password.tsx'
import { LoginAlert } from './login-alert.tsx'
import { type LoginFailure, toLoginFailure } from './login-failure.ts'
import classes from './login-form.module.css'
import { useLock } from './use-lock.ts'

/** The page on which an account confirms, once, that a person at the identity provider is its own. */
export function LinkPage() {
  const { data, error } = useQuery({ ...endpointQuery('getPendingLink', {}), retry: false })
  return (
    <AuthLayout title="Link your account">
      <Paper withBorder p={{ base: 'lg', xs: 32 }} radius="lg" className={classes.card}>
        <Title order={1} size="h3" mb="sm">
          Link your account
        </Title>
        {data && <LinkForm email={data.email} label={data.label} />}
        {!data && error === null && <Skeleton height={180} />}
        {error !== null && <NothingWaits />}
      </Paper>
    </AuthLayout>
  )
}

const NothingWaits = () => (
  <Stack>
    <Text size="sm">There is no account to link any more. Sign in again to start over.</Text>
    <Button component="a" href={`${BASE_PATH}/login`} fullWidth>
      Go to sign in
    </Button>
  </Stack>
)

interface LinkFormProps {
  readonly email: string
  readonly label: string
}

function LinkForm({ email, label }: LinkFormProps) {
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<LoginFailure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const lock = useLock(email)
  const isLocked = lock.secondsLeft > 0
  const submit = async () => {
    if (isBusy || isLocked) return
    setBusy(true)
    try {
      const { continue_at } = await call('confirmLink', { body: { password } }, { expectsExpiry: true })
      location.assign(continue_at)
    } catch (error) {
      const why = toLoginFailure(error)
      setFailure(why)
      if (why.kind === 'locked') lock.start(why.seconds)
      setBusy(false)
    }
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
        <Text size="sm">
          There is an account for <b>{email}</b>. Enter its password once, and you sign in with {label} from
          then on. Its roles and tokens stay.
        </Text>
        {failure !== null && (failure.kind === 'refused' || isLocked) && (
          <LoginAlert message={failure.message} secondsLeft={lock.secondsLeft} untilMs={lock.untilMs} />
        )}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <CapsLockPassword
          label="Password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={isLocked || password === ''} fullWidth>
          Link and sign in
        </Button>
        <Button component="a" href={`${BASE_PATH}/login`} variant="subtle" color="gray" fullWidth>
          Cancel
        </Button>
      </Stack>
    </form>
  )
}
