import type { invariantEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import { actorIdentity } from '../../kernel/actor.ts'
import type { Analyses } from '../../platform/concurrency/analyses.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type CheckDeps, checkInvariants } from './check-invariants.ts'
import { listInvariants } from './queries.ts'
import { createInvariant, deleteInvariant, updateInvariant } from './write-invariant.ts'

export function invariantHandlers(
  deps: WorkspaceWriteDeps & CheckDeps & { readonly analyses: Analyses },
): EndpointHandlers<typeof invariantEndpoints> {
  return {
    async checkInvariants({ actor, body, scope }) {
      const check = () => checkInvariants(deps, actor, scope, body)
      return { status: 200, body: await deps.analyses.run(actorIdentity(actor), check) }
    },
    async listInvariants({ scope }) {
      return { status: 200, body: await listInvariants(deps.db, scope.project_id) }
    },
    async createInvariant({ actor, body, scope }) {
      return { status: 200, body: await createInvariant(deps, actor, scope.project_id, body) }
    },
    async updateInvariant({ actor, body, params, scope }) {
      const place = { project_id: scope.project_id, key: params.key }
      return { status: 200, body: await updateInvariant(deps, actor, place, body) }
    },
    async deleteInvariant({ actor, params, scope }) {
      await deleteInvariant(deps, actor, { project_id: scope.project_id, key: params.key })
      return { status: 204, body: null }
    },
  }
}
