import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** The places of the table of groups that names of groups stand for. */
export interface MappedPlaces {
  /** True when a name gives a role anywhere. */
  readonly any: boolean
  /** True when a name gives the role admin in the workspace. */
  readonly admin: boolean
}

export async function findMappedPlaces(
  db: Kysely<Database>,
  names: readonly (string | null)[],
): Promise<MappedPlaces> {
  const { rows } = await sql<MappedPlaces>`
    select count(*) > 0 as any, count(*) filter (where project_id is null and role = 'admin') > 0 as admin
    from group_mappings where group_name = any(${[...names]}::text[])
  `.execute(db)
  return rows[0] ?? { any: false, admin: false }
}

/** Locks the workspace admins, in the order of their ids, until the transaction ends. */
export async function lockAdmins(tx: Transaction<Database>): Promise<void> {
  await sql`select from users where role = 'admin' order by id for no key update`.execute(tx)
}

/** Returns whether an enabled admin is left once the groups of SCIM have been applied. */
export async function keepsAnAdmin(tx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql`
    select from users u where u.role = 'admin' and u.disabled_at is null and (
      u.role_source = 'manual'
      or not exists (select from scim_users s where s.user_id = u.id and s.deleted_at is null)
      or exists (
        select from scim_members m join scim_groups g on g.id = m.group_id
        join group_mappings t on t.group_name = g.display_name or t.group_name = g.external_id
        where m.user_id = u.id and t.project_id is null and t.role = 'admin'
      )
    ) limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Counts a change of the groups of accounts. They are locked in the order of their ids. */
export async function countGroupChange(tx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await sql`
    with locked as (
      select user_id from scim_users where user_id = any(${[...ids]}::integer[]) order by user_id for no key update
    )
    update scim_users set groups_version = groups_version + 1 from locked where scim_users.user_id = locked.user_id
  `.execute(tx)
}
