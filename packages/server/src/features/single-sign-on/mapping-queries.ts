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

/** Returns the accounts whose last login was in a group, in the order of their ids, with all their groups. */
export async function findPeopleOfGroup(
  tx: Transaction<Database>,
  group: string,
): Promise<readonly { readonly user_id: number; readonly groups: readonly string[] }[]> {
  return tx
    .selectFrom('identities')
    .select(['user_id', 'groups'])
    .where('groups', '@>', sql<string[]>`${[group]}::text[]`)
    .orderBy('user_id')
    .execute()
}
