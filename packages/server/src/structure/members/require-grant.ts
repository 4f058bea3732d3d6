import type { Permission } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { forbidden, invalid } from '../../kernel/refusal.ts'
import { grantIn, type Membership, type RoleGrant } from '../../kernel/scope.ts'
import type { Database } from '../../platform/db/tables.ts'
import { includesAll, lockRolesForShare, toGrant } from '../roles/index.ts'

/** A role that a request names, with the path of the field. */
export interface NamedRole {
  readonly path: string
  readonly role: string
}

/** Returns the roles with these keys, locked against deletion. Refuses with `invalid` for unknown ones. */
export async function requireRoles(
  tx: Transaction<Database>,
  named: readonly NamedRole[],
): Promise<ReadonlyMap<string, RoleGrant>> {
  if (named.length === 0) return new Map()
  const found = await lockRolesForShare(tx, [...new Set(named.map(({ role }) => role))])
  const unknown = named.filter(({ role }) => !found.has(role))
  if (unknown.length > 0) {
    throw invalid(
      unknown.map(({ path, role }) => ({
        path,
        message: `must be viewer, editor, admin or the key of a role of this workspace, and ${JSON.stringify(role)} is none`,
      })),
    )
  }
  return new Map([...found].map(([key, role]) => [key, toGrant(role)]))
}

/** A member who changes the roles of others. */
export interface Granter {
  readonly actor: Actor
  /** The actor's own membership; null for a workspace admin who has none. */
  readonly membership: Membership | null
}

/**
 * Refuses with `forbidden` when the roles of a member permit more, in the project or in an environment, than
 * the actor may do there. So members cannot give or take rights that they do not have.
 */
export function requireGrantable({ actor, membership: own }: Granter, roles: Membership): void {
  if (isWorkspaceAdmin(actor) || own === null) return
  const places = [undefined, ...own.overrides.keys(), ...roles.overrides.keys()]
  if (places.every((id) => includesAll(mine(own, id), grantIn(roles, id).permissions))) return
  throw forbidden(
    `You can only give or take roles that permit no more than your own role ${own.inProject.role}. Ask an admin of the project.`,
  )
}

/** The right to change members is one of the project, so that it is bounded by the role there as well. */
const mine = (own: Membership, environment_id: string | undefined): ReadonlySet<Permission> => {
  const inEnvironment = grantIn(own, environment_id).permissions
  return new Set([...own.inProject.permissions].filter((name) => inEnvironment.has(name)))
}
