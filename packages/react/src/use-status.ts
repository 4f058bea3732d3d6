import type { Client, ClientStatus } from '@burgee/sdk'
import { useCallback, useSyncExternalStore } from 'react'
import { useProvided } from './flags-context.ts'

/** The part of the client's status that pages show. */
export type BurgeeStatus = Pick<ClientStatus, 'state' | 'isReady' | 'isPolling' | 'lastError'>

const EVENTS = ['ready', 'update', 'stale', 'error'] as const
const AT_THE_START: BurgeeStatus = { state: 'idle', isReady: false, isPolling: false, lastError: null }
const latest = new WeakMap<Client, BurgeeStatus>()

/**
 * Returns the status of the connection. While the server renders, and while its page hydrates, it is that of
 * a client which has not started.
 */
export function useStatus(): BurgeeStatus {
  const { client } = useProvided()
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = EVENTS.map((event) => client.on(event, listener))
      return () => {
        for (const end of ends) end()
      }
    },
    [client],
  )
  return useSyncExternalStore(
    subscribe,
    () => readStatus(client),
    () => AT_THE_START,
  )
}

/** Returns the same object until the status changes. */
function readStatus(client: Client): BurgeeStatus {
  const { isPolling, isReady, lastError, state } = client.status
  const before = latest.get(client)
  if (
    before?.state === state &&
    before.isReady === isReady &&
    before.isPolling === isPolling &&
    before.lastError === lastError
  ) {
    return before
  }
  const status = { state, isReady, isPolling, lastError }
  latest.set(client, status)
  return status
}
