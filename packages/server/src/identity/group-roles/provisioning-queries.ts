import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** The groups that SCIM has sent for an account. */
export interface Provisioning {
  /** The names under which the table of groups has them; null while SCIM has sent no group at all. */
  readonly groups: readonly string[] | null
  /** It grows with each change of the groups. */
  readonly version: number
}

/**
 * Returns the groups of an account that SCIM manages; null for any other account. A row of the table names a
 * group by its display name or by its external id.
 */
export async function findProvisioning(db: Kysely<Database>, user_id: number): Promise<Provisioning | null> {
  const { rows } = await sql<Provisioning>`
    select s.groups_version as version, case when exists (select from scim_groups) then array(
      select distinct t.group_name from scim_members m
      join scim_groups g on g.id = m.group_id
      join group_mappings t on t.group_name = g.display_name or t.group_name = g.external_id
      where m.user_id = s.user_id
    ) end as groups
    from scim_users s
    where s.user_id = ${user_id}::integer and s.deleted_at is null
  `.execute(db)
  return rows[0] ?? null
}
