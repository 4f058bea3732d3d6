import type { unknownFlagEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import { mayInEnvironment } from '../../kernel/scope.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import type { Acknowledge } from './acknowledge.ts'
import { explainUnknownFlags } from './list-unknown-flags.ts'
import { deleteUnknownFlag } from './queries.ts'

interface UnknownFlagDeps {
  readonly db: Kysely<Database>
  readonly acknowledge: Acknowledge
}

export function unknownFlagHandlers({
  acknowledge,
  db,
}: UnknownFlagDeps): EndpointHandlers<typeof unknownFlagEndpoints> {
  return {
    async acknowledge({ actor, body }) {
      const ack = await acknowledge(actor, body)
      return { status: 204, body: null, ...(ack !== null && { headers: { 'x-burgee-ack': ack } }) }
    },
    async listUnknownFlags({ actor, scope }) {
      const maySee = (id: string) =>
        actor.kind === 'sdk_key' || mayInEnvironment(actor, scope, 'read_environment', id)
      const place = { environment_id: scope.environment.id, project_id: scope.project_id, maySee }
      return { status: 200, body: await explainUnknownFlags(db, place) }
    },
    async dismissUnknownFlag({ params, scope }) {
      if (!(await deleteUnknownFlag(db, scope.environment.id, params.key))) throw notFound('unknown flag')
      return { status: 204, body: null }
    },
  }
}
