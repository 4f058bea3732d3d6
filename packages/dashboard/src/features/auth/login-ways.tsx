import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import { describeSsoFailure } from '../../shared/sso-failure.ts'
import { LoginAlert } from './login-alert.tsx'
import { LoginForm } from './login-form.tsx'
import { SsoButton } from './sso-button.tsx'

interface LoginWaysProps {
  /** The path to open afterwards. */
  readonly next: string
  /** Called when someone has signed in with a password. */
  readonly onDone: () => void
  /** Why a login at the identity provider failed. */
  readonly ssoError?: string | undefined
}

/** Every way to sign in: with a password, with the identity provider, or with either. */
export function LoginWays({ next, onDone, ssoError }: LoginWaysProps) {
  const { data, isPending } = useQuery(endpointQuery('getSignInOptions', {}))
  const [isPasswordAsked, askPassword] = useState(false)
  if (isPending) return null
  // Without a response the form shows why.
  const { label, password_login } = data ?? { label: null, password_login: true }
  const failure = describeSsoFailure(ssoError, label ?? 'the identity provider')
  const hasForm = password_login || isPasswordAsked
  return (
    <Stack gap="md">
      {failure !== null && <LoginAlert message={failure} secondsLeft={0} untilMs={0} />}
      {hasForm && <LoginForm onDone={onDone} />}
      {label !== null && (
        <div>
          <SsoButton label={label} next={next} isOnlyWay={!hasForm} />
        </div>
      )}
      {!hasForm && (
        <Anchor component="button" type="button" size="sm" c="dimmed" onClick={() => askPassword(true)}>
          Use a password
        </Anchor>
      )}
    </Stack>
  )
}
