import { type Kysely, sql } from 'kysely'
import type { Membership } from '../../kernel/scope.ts'
import type { Database, Role } from '../../platform/db/tables.ts'
import { membershipIn, toMembership } from '../roles/index.ts'

/**
 * Returns the environments that each of the users may read: all for workspace admins, those where their role
 * permits it for others. Users who do not exist or may read nothing have no entry.
 */
export async function readableEnvironments(
  db: Kysely<Database>,
  userIds: readonly number[],
): Promise<Map<number, Set<string>>> {
  const readable = new Map<number, Set<string>>()
  if (userIds.length === 0) return readable
  const { rows } = await sql<{ user_id: number; environment_id: string }>`
    select u.id as user_id, e.id as environment_id
    from users u
    cross join environments e
    left join project_members m on m.user_id = u.id and m.project_id = e.project_id
    left join environment_roles o on o.user_id = u.id and o.environment_id = e.id
    left join roles r on r.key = coalesce(o.role, m.role)
    where u.id = any(${userIds}::int[])
      -- A built-in role has no stored permissions, and permits reading.
      and (u.role = 'admin' or m.user_id is not null
        and (r.permissions is null or 'read_environment' = any(r.permissions)))
    order by e.position
  `.execute(db)
  for (const { environment_id, user_id } of rows) {
    const known = readable.get(user_id)
    if (known) known.add(environment_id)
    else readable.set(user_id, new Set([environment_id]))
  }
  return readable
}

/** A user who is to approve changes in an environment. */
export interface ApproverUser {
  readonly id: number
  readonly role: Role
  readonly disabled_at: string | null
  /** Null without a membership in the project of the environment. */
  readonly membership: Membership | null
}

/** Returns those of the ids that are users, as they are in the project. */
export async function findApproverUsers(
  db: Kysely<Database>,
  userIds: readonly number[],
  project_id: string,
): Promise<ReadonlyMap<number, ApproverUser>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users as u')
    .select(['u.id', 'u.role', 'u.disabled_at'])
    .select((eb) => membershipIn(sql`${project_id}::uuid`, eb.ref('u.id')).as('membership'))
    .where('u.id', 'in', [...userIds])
    .execute()
  return new Map(
    rows.map(({ membership, ...user }) => [
      user.id,
      { ...user, membership: membership && toMembership(membership) },
    ]),
  )
}
