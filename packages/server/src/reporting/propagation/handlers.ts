import { CLIENT_LIMIT_DEFAULT, CLIENT_LIMIT_MAX, type propagationEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { addCounts, latencyAt } from './latency-steps.ts'
import { countStates, findClients, findCounts, findMoment, findWaiting, type Moment } from './read-queries.ts'
import type { ClientStore } from './store-clients.ts'

interface PropagationDeps {
  readonly db: Kysely<Database>
  readonly store: Pick<ClientStore, 'flush'>
}

const WAITING_MAX = 100

export function propagationHandlers({
  db,
  store,
}: PropagationDeps): EndpointHandlers<typeof propagationEndpoints> {
  async function momentOf(environment_id: string, revision?: number): Promise<Moment> {
    await store.flush()
    const moment = await findMoment(db, environment_id, revision)
    if (!moment) throw notFound('revision')
    return moment
  }
  return {
    async getPropagation({ query, scope }) {
      const moment = await momentOf(scope.environment.id, query.revision)
      const { as_of, unconfirmable, committed_at, environment_id, revision, visible } = moment
      const states = await countStates(db, moment)
      const total = states.current + states.behind + states.silent
      const counts = addCounts(await findCounts(db, environment_id, visible))
      const waiting = total === states.current ? [] : await findWaiting(db, moment, WAITING_MAX)
      const body = {
        environment_id,
        revision,
        committed_at,
        clients: { total, ...states, unconfirmable },
        share: total === 0 ? 1 : states.current / total,
        latency_ms: { p50: latencyAt(counts, 0.5), p99: latencyAt(counts, 0.99), max: latencyAt(counts, 1) },
        waiting: [...waiting],
        as_of,
      }
      return { status: 200, body }
    },
    async listClients({ query, scope }) {
      const moment = await momentOf(scope.environment.id)
      const { app, limit = CLIENT_LIMIT_DEFAULT, offset = 0, state } = query
      const page = { app, state, offset, limit: Math.min(CLIENT_LIMIT_MAX, Math.max(1, limit)) }
      const { items, total } = await findClients(db, moment, page)
      return { status: 200, body: { revision: moment.revision, total, items: [...items] } }
    },
  }
}
