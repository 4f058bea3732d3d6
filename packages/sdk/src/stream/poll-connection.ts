import { type ClientError, isRefusal } from '../client-error.ts'
import type { Connection, ConnectionNeeds } from './connection.ts'
import type { ConnectionState } from './connection-machine.ts'
import { createSnapshotPolling } from './poll-snapshots.ts'

/** Requests snapshots in intervals, or with `connection: 'manual'` only when the program requests them. */
export function createPollConnection(needs: ConnectionNeeds): Connection {
  const { applied, platform, request, store, options, listener } = needs
  const polling = createSnapshotPolling(platform, request, options.pollIntervalMs, true, {
    onSnapshot(flags, id) {
      const wasLive = connection.state === 'live'
      connection.state = 'live'
      store.environmentId = id ?? store.environmentId
      listener.onReady(flags ? store.publish(flags) : [], wasLive)
      applied()
    },
    onError(error: ClientError) {
      const wasLive = connection.state === 'live'
      connection.state = isRefusal(error) ? 'unauthorized' : 'waiting'
      listener.onError(error)
      if (wasLive) listener.onStale()
    },
  })

  const connection = {
    state: 'idle' as ConnectionState,
    isPolling: polling.isPolling,
    start() {
      if (options.connection === 'manual') return connection.refresh()
      if (!polling.isPolling()) {
        connection.state = 'connecting'
        polling.start()
      }
      return undefined
    },
    refresh() {
      if (connection.state !== 'live') connection.state = 'connecting'
      return polling.refresh()
    },
    close() {
      connection.state = 'closed'
      polling.stop()
    },
  }
  return connection
}
