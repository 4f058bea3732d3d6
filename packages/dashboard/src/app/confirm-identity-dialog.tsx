import type { CurrentUser } from '@burgee/contract'
import { Divider, Modal, Space, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { ConfirmPasswordForm, ConfirmWithPasskey, ConfirmWithProvider } from '../features/auth/index.ts'
import { usePasskeyPlace } from '../parts/passkeys/index.ts'
import { setIdentityDialog } from '../shared/api/confirm-identity.ts'
import { endpointKey, endpointQuery } from '../shared/api/queries.ts'
import { logOut } from '../shared/api/session-signals.ts'

/** Another dialog may be open: the one whose request was refused. */
const ABOVE_OTHER_DIALOGS = 950

const ME = endpointKey('getCurrentUser', {})

type Resolve = (isConfirmed: boolean) => void

/** Asks for the password where an operation needs a recent login. What was being done then goes on. */
export function ConfirmIdentityDialog() {
  const client = useQueryClient()
  const [resolve, setResolve] = useState<Resolve | null>(null)
  useEffect(() => setIdentityDialog(() => new Promise((settle: Resolve) => setResolve(() => settle))), [])
  const close: Resolve = (isConfirmed) => {
    resolve?.(isConfirmed)
    setResolve(null)
  }
  useEffect(
    () =>
      logOut.listen(() => {
        resolve?.(false)
        setResolve(null)
      }),
    [resolve],
  )
  // Read without a request: the dialog is also on pages of people who are not signed in.
  const email = client.getQueryData<CurrentUser>(ME)?.email ?? ''
  return (
    <Modal
      opened={resolve !== null}
      onClose={() => close(false)}
      title="Confirm that it is you"
      closeOnClickOutside={false}
      zIndex={ABOVE_OTHER_DIALOGS}
    >
      {resolve && <Confirmation email={email} onClose={close} />}
    </Modal>
  )
}

interface ConfirmationProps {
  readonly email: string
  readonly onClose: Resolve
}

/** The ways in which this person can confirm: the password, a passkey, the identity provider. */
function Confirmation({ email, onClose }: ConfirmationProps) {
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
        This needs a login within the last 10 minutes.{' '}
        {hasPassword ? (
          <>
            Enter the password of <b>{email}</b> to go on.
          </>
        ) : (
          'Log in once more to go on.'
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
