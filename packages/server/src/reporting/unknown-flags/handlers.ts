import type { unknownFlagEndpoints } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { notFound } from '../../kernel/refusal.ts'
import { mayInEnvironment } from '../../kernel/scope.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { Acknowledge } from './acknowledge.ts'
import { explainUnknownFlags } from './list-unknown-flags.ts'
import { deleteUnknownFlag } from './queries.ts'

interface UnknownFlagDeps extends WorkspaceWriteDeps {
  readonly acknowledge: Acknowledge
}

export function unknownFlagHandlers(deps: UnknownFlagDeps): EndpointHandlers<typeof unknownFlagEndpoints> {
  const { acknowledge, db } = deps
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
    async dismissUnknownFlag({ actor, params, scope }) {
      const place = { project_id: scope.project_id, environment_id: scope.environment.id }
      await writeWorkspace(deps, actor, async ({ tx }) => {
        const before = await deleteUnknownFlag(tx, scope.environment.id, params.key)
        if (!before) throw notFound('unknown flag')
        return {
          result: undefined,
          audit: {
            ...{ ...place, action: 'delete', before, after: null },
            metadata: { origin: 'direct', resource: `reports:unknown_flag:${params.key}` },
          },
          changesAccess: false,
        }
      })
      return { status: 204, body: null }
    },
  }
}
