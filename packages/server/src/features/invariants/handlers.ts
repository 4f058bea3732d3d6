import type { invariantEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import { createKeyedQueue } from '../../platform/keyed-queue.ts'
import { type CheckDeps, checkInvariants } from './check-invariants.ts'
import { listInvariants } from './queries.ts'
import { createInvariant, deleteInvariant, updateInvariant } from './write-invariant.ts'

/** One check runs at a time: it reads an environment and walks through its users. */
const ONE_AT_A_TIME = 'check'

export function invariantHandlers(
  deps: WorkspaceWriteDeps & CheckDeps,
): EndpointHandlers<typeof invariantEndpoints> {
  const checks = createKeyedQueue()
  return {
    async checkInvariants({ actor, body, scope }) {
      const check = () => checkInvariants(deps, actor, scope, body)
      return { status: 200, body: await checks.run(ONE_AT_A_TIME, check) }
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
