import type { CurrentUser } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { IdentityConfirmation } from '../features/auth/index.ts'
import { setIdentityDialog } from '../shared/api/confirm-identity.ts'
import { endpointKey } from '../shared/api/queries.ts'
import { logOut } from '../shared/api/session-signals.ts'

/** Another dialog may be open: the one whose request was refused. */
const ABOVE_OTHER_DIALOGS = 950

const ME = endpointKey('getCurrentUser', {})

type Resolve = (isConfirmed: boolean) => void

/** Requests the password where an operation needs a recent login. What was being done then goes on. */
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
      {resolve && (
        <Suspense fallback={null}>
          <IdentityConfirmation email={email} onClose={close} />
        </Suspense>
      )}
    </Modal>
  )
}
