import type { unknownFlagEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { isClientKey } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { mayInEnvironment } from '../../kernel/scope.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import type { GroupedWrites } from '../../reports/grouped-writes.ts'
import type { ReportBudget } from '../../reports/report-budget.ts'
import { explainUnknownFlags } from './list-unknown-flags.ts'
import { deleteUnknownFlag, storeUnknownFlags } from './queries.ts'
import { addUpUnknownFlags, toUnknownFlagBatch, type UnknownFlagBatch } from './unknown-flag-batch.ts'

interface UnknownFlagDeps {
  readonly db: Kysely<Database>
  readonly budget: ReportBudget
  readonly groups: GroupedWrites
}

export function unknownFlagHandlers({
  budget,
  db,
  groups,
}: UnknownFlagDeps): EndpointHandlers<typeof unknownFlagEndpoints> {
  const store = groups.kind<UnknownFlagBatch>('unknown_flags', (environment_id, batches) =>
    storeUnknownFlags(db, environment_id, addUpUnknownFlags(batches)),
  )
  return {
    async acknowledge({ actor, body: { unknown = [] } }) {
      budget.spend(actor, 1)
      const batch = toUnknownFlagBatch(unknown, isClientKey(actor))
      if (batch.rows > 0) await store(actor.environment_id, batch)
      return { status: 204, body: null }
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
