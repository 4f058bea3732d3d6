import type { Member, MemberPatch } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { lockEnvironmentsOf } from '../environments/index.ts'
import { memberAudit } from './member-audit.ts'
import {
  lockMember,
  type Membership,
  putEnvironmentRoles,
  readMembership,
  updateMemberRow,
} from './queries.ts'
import { type Granter, type NamedRole, requireGrantable, requireRoles } from './require-grant.ts'

interface RoleChange {
  readonly membership: Membership
  readonly patch: MemberPatch
}

/**
 * Changes a member's role in the project and in single environments from their next request on. Refuses with
 * `not_found` for a user who is not a member, with `invalid` for an unknown role or environment, and with
 * `forbidden` when the old or new roles permit more than the actor may do.
 */
export async function changeMemberRole(
  deps: WorkspaceWriteDeps,
  granter: Granter,
  { membership, patch }: RoleChange,
): Promise<Member> {
  if (patch.role === undefined && patch.environment_roles === undefined) {
    throw invalid([{ path: '/role', message: 'is required, unless environment_roles is given' }])
  }
  return writeWorkspace(deps, granter.actor, async ({ tx }) => {
    const overrides = (patch.environment_roles ?? []).map(({ environment_id, role }) => ({
      environment_id: environment_id.toLowerCase(),
      role,
    }))
    if (overrides.length > 0) await requireEnvironments(tx, membership.project_id, overrides)
    const before = await lockMember(tx, membership)
    if (!before) throw notFound('member')
    requireGrantable(granter, await readMembership(tx, membership))
    await requireRoles(tx, namedRoles(patch))
    if (patch.role !== undefined)
      await updateMemberRow(tx, membership, { role: patch.role, source: 'manual' })
    await putEnvironmentRoles(tx, membership, overrides)
    requireGrantable(granter, await readMembership(tx, membership))
    const after = await lockMember(tx, membership)
    if (!after) throw notFound('member')
    return {
      result: after,
      audit: memberAudit({ project_id: membership.project_id, action: 'update', before, after }),
      changesAccess: true,
    }
  })
}

const namedRoles = ({ environment_roles = [], role }: MemberPatch): NamedRole[] => [
  ...(role === undefined ? [] : [{ path: '/role', role }]),
  ...environment_roles.flatMap((override, index) =>
    override.role === null ? [] : [{ path: `/environment_roles/${index}/role`, role: override.role }],
  ),
]

/** Refuses environments of other projects and those that are named twice. */
async function requireEnvironments(
  tx: Transaction<Database>,
  project_id: string,
  overrides: readonly { readonly environment_id: string }[],
): Promise<void> {
  const known = new Set((await lockEnvironmentsOf(tx, project_id, 'for_change')).map(({ id }) => id))
  const problems = overrides.flatMap(({ environment_id }, index) => {
    const path = `/environment_roles/${index}/environment_id`
    if (!known.has(environment_id)) return [{ path, message: 'must be an environment of this project' }]
    const first = overrides.findIndex((other) => other.environment_id === environment_id)
    return first === index ? [] : [{ path, message: 'is named twice; name each environment once' }]
  })
  if (problems.length > 0) throw invalid(problems)
}
