import { Anchor, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { BASE_PATH } from '../../shared/api/base-path.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { AuthLayout } from '../../shared/ui/auth-layout.tsx'
import { ForgotPasswordDialog } from './forgot-password-dialog.tsx'
import classes from './login-form.module.css'
import { LoginWays } from './login-ways.tsx'
import { nextAddress } from './next-address.ts'

/** The login. `next` is the address to open afterwards. */
export function LoginPage() {
  const router = useRouter()
  const { next, sso_error }: { next?: string; sso_error?: string } = useSearch({ strict: false })
  const wanted = nextAddress(next, location.origin)
  const setup = useQuery(endpointQuery('getSetup', {}))
  // Before setup there is no account to sign in to, and the server accepts only requests with the setup
  // token.
  if (hasStatus(setup.error, 401)) return <Navigate to="/setup" replace />
  return (
    <AuthLayout title="Sign in">
      <Paper withBorder p={{ base: 'lg', xs: 32 }} radius="lg" className={classes.card}>
        <Title order={1} size="h3">
          Sign in
        </Title>
        <WorkspaceName />
        <LoginWays
          next={wanted}
          ssoError={sso_error}
          onDone={() => router.history.push(BASE_PATH + wanted)}
        />
      </Paper>
      <LostPassword />
    </AuthLayout>
  )
}

/** The way out for people who have lost their password: by e-mail where the server sends any. */
function LostPassword() {
  const { data } = useQuery(endpointQuery('getSignInOptions', {}))
  const [isOpen, setOpen] = useState(false)
  if (data?.password_reset !== true) {
    return (
      <Text c="dimmed" size="sm" ta="center" mt="lg" className={classes.lost}>
        Lost your password? A workspace admin can give you a new one.
      </Text>
    )
  }
  return (
    <>
      <Anchor component="button" type="button" size="sm" mt="lg" mx="auto" onClick={() => setOpen(true)}>
        Forgot your password?
      </Anchor>
      <ForgotPasswordDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

/** Keeps its line while it is unknown. */
function WorkspaceName() {
  const { data } = useQuery(endpointQuery('getWorkspace', {}))
  return (
    <Text c="dimmed" size="sm" mb="lg" className={classes.workspace}>
      {data && `to ${data.workspace_name}`}
    </Text>
  )
}
