import type { memberEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { addMember } from './add-member.ts'
import { changeMemberRole } from './change-member-role.ts'
import { findMember, listMemberCandidates, listMembers } from './queries.ts'
import { removeMember } from './remove-member.ts'

export function memberHandlers(deps: WorkspaceWriteDeps): EndpointHandlers<typeof memberEndpoints> {
  return {
    async listMembers({ scope }) {
      return { status: 200, body: await listMembers(deps.db, scope.project_id) }
    },
    async getMember({ params, scope }) {
      const member = await findMember(deps.db, { project_id: scope.project_id, user_id: params.user_id })
      if (!member) throw notFound('member')
      return { status: 200, body: member }
    },
    async listMemberCandidates({ query, scope }) {
      const { project_id } = scope
      return { status: 200, body: await listMemberCandidates(deps.db, { project_id, q: query.q ?? '' }) }
    },
    async addMember({ actor, body, scope }) {
      const { membership, project_id } = scope
      return { status: 200, body: await addMember(deps, { actor, membership }, { project_id, input: body }) }
    },
    async updateMember({ actor, body, params, scope }) {
      const membership = { project_id: scope.project_id, user_id: params.user_id }
      const granter = { actor, membership: scope.membership }
      return { status: 200, body: await changeMemberRole(deps, granter, { membership, patch: body }) }
    },
    async removeMember({ actor, params, scope }) {
      const granter = { actor, membership: scope.membership }
      await removeMember(deps, granter, { project_id: scope.project_id, user_id: params.user_id })
      return { status: 204, body: null }
    },
  }
}
