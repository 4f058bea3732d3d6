import type { GroupMapping } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

const COLUMNS = ['id', 'group_name as group', 'project_id', 'role', 'created_at'] as const

/** Returns the table of groups, the oldest row first. */
export async function listMappingRows(db: Kysely<Database>): Promise<GroupMapping[]> {
  return db.selectFrom('group_mappings').select(COLUMNS).orderBy('id').execute()
}

export async function groupMappingExists(db: Kysely<Database>, id: number): Promise<boolean> {
  const found = await db.selectFrom('group_mappings').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

/** Locks the table of groups against other changes of rows until the transaction ends. Returns its length. */
export async function lockMappings(tx: Transaction<Database>): Promise<number> {
  await sql`lock table group_mappings in share row exclusive mode`.execute(tx)
  const { count } = await tx
    .selectFrom('group_mappings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface NewMapping {
  readonly group: string
  readonly project_id: string | null
  readonly role: string
  readonly now: string
}

/** Undefined when the group has a role there already. */
export async function insertMappingRow(
  tx: Transaction<Database>,
  { group, now, project_id, role }: NewMapping,
): Promise<GroupMapping | undefined> {
  return tx
    .insertInto('group_mappings')
    .values({ group_name: group, project_id, role, created_at: now })
    .onConflict((conflict) => conflict.columns(['group_name', 'project_id']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

export async function deleteMappingRow(
  tx: Transaction<Database>,
  id: number,
): Promise<GroupMapping | undefined> {
  return tx.deleteFrom('group_mappings').where('id', '=', id).returning(COLUMNS).executeTakeFirst()
}

/**
 * Returns the accounts whose last login was in a group or that SCIM has put into it, in the order of their
 * ids, with the groups of their last login.
 */
export async function findPeopleOfGroup(
  tx: Transaction<Database>,
  group: string,
): Promise<readonly { readonly user_id: number; readonly groups: readonly string[] }[]> {
  const { rows } = await sql<{ readonly user_id: number; readonly groups: readonly string[] }>`
    with people as (
      select user_id from identities where groups @> ${[group]}::text[]
      union
      select m.user_id from scim_groups g join scim_members m on m.group_id = g.id
      where g.display_name = ${group} or g.external_id = ${group}
    )
    select user_id, coalesce(
      (select i.groups from identities i where i.user_id = people.user_id order by i.last_login_at desc limit 1), '{}'
    ) as groups
    from people order by user_id
  `.execute(tx)
  return rows
}
