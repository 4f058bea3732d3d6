import type { Kysely } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import {
  createClientStore,
  createSdkClients,
  measureClientLatency,
  measureClients,
} from '../reporting/propagation/index.ts'

interface PropagationDeps {
  readonly clock: Clock
  readonly db: Kysely<Database>
  readonly log: Log
  readonly metrics: Metrics
  readonly newId: () => string
}

/** Creates what counts the clients that confirm changes. */
export function createPropagation({ clock, db, log, metrics, newId }: PropagationDeps) {
  /** The id of this instance among those that share the database. */
  const instance_id = newId()
  const sdkClients = createSdkClients({ clock, onLatency: measureClientLatency(metrics) })
  const clientStore = createClientStore({ clients: sdkClients, db, log, server_id: instance_id })
  measureClients(metrics, clientStore)
  return { instance_id, sdkClients, clientStore }
}
