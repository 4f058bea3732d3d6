import type { CurrentUser } from '@burgee/contract'
import { Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { LoginForm } from '../features/auth/index.ts'
import { endpointKey } from '../shared/api/queries.ts'
import { onSessionExpiry } from '../shared/api/session-expiry.ts'

/** A dialog may be open already when the session ends. */
const ABOVE_OTHER_DIALOGS = 1_000

/**
 * When a session ends while somebody works, the login comes to them: the page below, and what was typed into it, stays. Somebody who was
 * not signed in yet is led to the login page instead (`router.ts`).
 */
export function SignInAgain() {
  const client = useQueryClient()
  const [is_open, setOpen] = useState(false)
  useEffect(
    () =>
      onSessionExpiry(() => {
        if (client.getQueryData<CurrentUser>(endpointKey('getCurrentUser', {}))) setOpen(true)
      }),
    [client],
  )
  return (
    <Modal
      opened={is_open}
      onClose={() => setOpen(false)}
      title="Your session has ended"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={ABOVE_OTHER_DIALOGS}
    >
      <Text size="sm" c="dimmed" mb="md">
        Log in to go on. What you have typed is still there.
      </Text>
      <LoginForm
        onDone={() => {
          setOpen(false)
          void client.invalidateQueries()
        }}
      />
    </Modal>
  )
}
