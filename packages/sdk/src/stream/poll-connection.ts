import { type ClientError, isRefusal } from '../client-error.ts'
import type { Connection, ConnectionNeeds } from './connection.ts'
import type { ConnectionState } from './connection-machine.ts'
import { createSnapshotPolling } from './poll-snapshots.ts'

/** Requests snapshots in intervals, or with `connection: 'manual'` only when the program asks for them. */
export function createPollConnection(needs: ConnectionNeeds): Connection {
  const { applied, platform, request, store, options, listener } = needs
  let state: ConnectionState = 'idle'
  let environmentId: string | null = null

  const polling = createSnapshotPolling(platform, request, options.pollIntervalMs, true, {
    onSnapshot(flags, id) {
      const wasLive = state === 'live'
      state = 'live'
      environmentId = id ?? environmentId
      listener.onReady(flags ? store.publish(flags) : [], wasLive)
      applied()
    },
    onError(error: ClientError) {
      const wasLive = state === 'live'
      state = isRefusal(error) ? 'unauthorized' : 'waiting'
      listener.onError(error)
      if (wasLive) listener.onStale()
    },
  })

  function refresh(): Promise<void> {
    if (state !== 'live') state = 'connecting'
    return polling.refresh()
  }

  return {
    get state() {
      return state
    },
    get environmentId() {
      return environmentId
    },
    isPolling: polling.isPolling,
    start() {
      if (options.connection === 'manual') return refresh()
      if (!polling.isPolling()) {
        state = 'connecting'
        polling.start()
      }
      return undefined
    },
    refresh,
    close() {
      state = 'closed'
      polling.stop()
    },
  }
}
