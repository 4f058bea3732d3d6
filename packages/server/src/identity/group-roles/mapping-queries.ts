import type { GroupMapping as ListedMapping } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { ADVISORY_LOCKS } from '../../platform/db/advisory-locks.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import type { Database } from '../../platform/db/tables.ts'
import { toGrant } from '../../structure/roles/index.ts'
import type { GroupMapping } from './group-rights.ts'

const COLUMNS = ['id', 'group_name as group', 'project_id', 'role', 'created_at'] as const

/** Returns the table of groups, the oldest row first. */
export async function listMappingRows(db: Kysely<Database>): Promise<ListedMapping[]> {
  return db.selectFrom('group_mappings').select(COLUMNS).orderBy('id').execute()
}

/** Returns whether a mapping gives the role. */
export async function isMappedRole(db: Kysely<Database>, role: string): Promise<boolean> {
  return rowExists(db, 'group_mappings', { role })
}

/**
 * Locks the table of groups until the transaction ends, against other changes and against being applied to a
 * person. It must be the first lock of its transaction. Returns the length of the table.
 */
export async function lockMappings(tx: Transaction<Database>): Promise<number> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.groupMappings})`.execute(tx)
  const { count } = await tx
    .selectFrom('group_mappings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Locks the table of groups against changes until the transaction ends. People are handled concurrently. */
export async function lockMappingsForShare(tx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.groupMappings})`.execute(tx)
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
): Promise<ListedMapping | undefined> {
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
): Promise<ListedMapping | undefined> {
  return tx.deleteFrom('group_mappings').where('id', '=', id).returning(COLUMNS).executeTakeFirst()
}

/** Returns the groups of an account's last login; none without one. */
export async function findLoginGroups(db: Kysely<Database>, user_id: number): Promise<readonly string[]> {
  const found = await db
    .selectFrom('identities')
    .select('groups')
    .where('user_id', '=', user_id)
    .orderBy('last_login_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.groups ?? []
}

/** Returns the table of groups, as far as it has the named ones. */
export async function findMappings(
  db: Kysely<Database>,
  groups: readonly string[],
): Promise<readonly GroupMapping[]> {
  if (groups.length === 0) return []
  const rows = await db
    .selectFrom('group_mappings as g')
    .innerJoin('roles as r', 'r.key', 'g.role')
    .select(['g.group_name', 'g.project_id', 'g.role', 'r.permissions'])
    .where('g.group_name', '=', sql<string>`any(${[...groups]}::text[])`)
    .execute()
  return rows.map(({ permissions, ...mapping }) => {
    const strength = toGrant({ role: mapping.role, permissions }).permissions.size
    return { ...mapping, strength }
  })
}

export async function hasMappings(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('group_mappings').select('id').limit(1).executeTakeFirst()) !== undefined
}
