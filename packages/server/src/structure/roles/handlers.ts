import type { CustomRole, OwnAccess, Permission, roleEndpoints } from '@burgee/contract'
import { isWorkspaceAdmin } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { RoleGrant } from '../../kernel/scope.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { createRole } from './create-role.ts'
import { type DeleteRoleDeps, deleteRole } from './delete-role.ts'
import { findRoleRow, listRoleRows } from './queries.ts'
import { toCustomRole } from './role.ts'
import { updateRole } from './update-role.ts'

export function roleHandlers(deps: DeleteRoleDeps): EndpointHandlers<typeof roleEndpoints> {
  const find = async (key: string): Promise<CustomRole> => {
    const row = await findRoleRow(deps.db, key)
    if (!row) throw notFound('role')
    return toCustomRole(row)
  }
  return {
    async listRoles() {
      return { status: 200, body: (await listRoleRows(deps.db)).map(toCustomRole) }
    },
    async getRole({ params }) {
      return { status: 200, body: await find(params.key) }
    },
    async createRole({ actor, body }) {
      return { status: 200, body: await createRole(deps, actor, body) }
    },
    async updateRole({ actor, body, params }) {
      return { status: 200, body: await updateRole(deps, actor, { key: params.key, patch: body }) }
    },
    async deleteRole({ actor, params }) {
      await deleteRole(deps, actor, params.key)
      return { status: 204, body: null }
    },
    async getOwnAccess({ actor, scope }) {
      const { membership } = scope
      const body: OwnAccess = {
        is_workspace_admin: isWorkspaceAdmin(actor),
        role: membership?.inProject.role ?? null,
        permissions: membership ? listed(membership.inProject) : [],
        environments: [...(membership?.overrides ?? [])].map(([environment_id, grant]) => ({
          environment_id,
          role: grant.role,
          permissions: listed(grant),
        })),
      }
      return { status: 200, body }
    },
  }
}

const listed = ({ permissions }: RoleGrant): Permission[] => [...permissions]
