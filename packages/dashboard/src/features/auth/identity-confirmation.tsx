import { Divider, Space, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback } from 'react'
import { usePasskeyPlace } from '../../parts/passkeys/index.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { ConfirmPasswordForm } from './confirm-password-form.tsx'
import { ConfirmWithProvider } from './confirm-with-provider.tsx'
import { ConfirmWithPasskey } from './lazy-parts.ts'

interface IdentityConfirmationProps {
  readonly email: string
  readonly onClose: (isConfirmed: boolean) => void
}

/** The ways in which this person can confirm: the password, a passkey, the identity provider. */
export function IdentityConfirmation({ email, onClose }: IdentityConfirmationProps) {
  const { data, isPending } = useQuery(endpointQuery('getOwnIdentity', {}))
  const { data: factors } = useQuery(endpointQuery('getSecondFactors', {}))
  const isPlace = usePasskeyPlace().kind === 'here'
  const confirmed = useCallback(() => onClose(true), [onClose])
  if (isPending) return null
  const label = data?.is_linked ? data.label : null
  const hasPassword = data?.has_password !== false
  const hasPasskey = isPlace && factors !== undefined && factors.passkeys.length > 0
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        For this you must have signed in within the last 10 minutes.{' '}
        {hasPassword ? (
          <>
            Enter the password of <b>{email}</b> to continue.
          </>
        ) : (
          'Sign in once more to continue.'
        )}
      </Text>
      {hasPassword && <ConfirmPasswordForm email={email} onClose={onClose} />}
      {hasPassword && (label !== null || hasPasskey) && <Divider label="or" my="md" />}
      {hasPasskey && (
        <Suspense fallback={null}>
          <ConfirmWithPasskey onConfirmed={confirmed} />
        </Suspense>
      )}
      {hasPasskey && label !== null && <Space h="sm" />}
      {label !== null && <ConfirmWithProvider label={label} onConfirmed={confirmed} />}
    </>
  )
}
