import type { CurrentUser } from '@burgee/contract'
import { Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { LoginWays, preloadLoginWays } from '../features/auth/index.ts'
import { openPath } from '../shared/api/base-path.ts'
import { endpointKey } from '../shared/api/queries.ts'
import { logOut, sessionExpiry } from '../shared/api/session-signals.ts'
import { forgetPresets } from '../shared/user-data.ts'

/** A dialog may be open already when the session ends. */
const ABOVE_OTHER_DIALOGS = 1_000

/** The page has its own code and data by then. */
const PRELOAD_AFTER_MS = 3_000

const ME = endpointKey('getCurrentUser', {})

interface EndedSession {
  readonly email: string
  readonly restorePresets: () => void
}

/**
 * Shows the login over the page when a session ends while someone works: the page below, and the text typed
 * into it, stays. Someone who was not signed in yet is led to the login page instead (`router.ts`). Their
 * presets leave with the session; the same person gets them back.
 */
export function SignInAgain() {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const ended = useRef<EndedSession | null>(null)
  useEffect(() => void setTimeout(preloadLoginWays, PRELOAD_AFTER_MS), [])
  useEffect(
    () =>
      sessionExpiry.listen(() => {
        // Several calls may find the session ended: the first one takes the presets.
        if (ended.current) return
        const restorePresets = forgetPresets()
        const me = client.getQueryData<CurrentUser>(ME)
        if (!me) return
        ended.current = { email: me.email, restorePresets }
        setOpen(true)
      }),
    [client],
  )
  useEffect(
    () =>
      // A call in the background may find the session ended while the user signs out.
      logOut.listen(() => {
        ended.current = null
        setOpen(false)
      }),
    [],
  )
  const goOn = () => {
    if (client.getQueryData<CurrentUser>(ME)?.email === ended.current?.email) ended.current?.restorePresets()
    // Data that another person has read is not shown while it is read again.
    else client.removeQueries({ type: 'inactive' })
    ended.current = null
    setOpen(false)
    void client.invalidateQueries()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      title="Your session has ended"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={ABOVE_OTHER_DIALOGS}
    >
      <Text size="sm" c="dimmed" mb="md">
        Sign in to continue. What you have typed is still there.
      </Text>
      <Suspense fallback={null}>
        <LoginWays next={openPath() + location.hash} onDone={goOn} />
      </Suspense>
    </Modal>
  )
}
