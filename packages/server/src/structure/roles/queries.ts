import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { RoleRow, StoredRole } from './role.ts'

const COLUMNS = [
  'key',
  'name',
  'description',
  'permissions',
  sql<number>`(select count(*) from project_members m where m.role = roles.key)`.as('member_count'),
  sql<number>`(select count(*) from environment_roles o where o.role = roles.key)`.as('override_count'),
  'created_at',
] as const

/** The built-in roles first, then the others in the order of their creation. */
export async function listRoleRows(db: Kysely<Database>): Promise<RoleRow[]> {
  return db
    .selectFrom('roles')
    .select(COLUMNS)
    .orderBy(sql`permissions is not null`)
    .orderBy(sql`case key when 'viewer' then 0 when 'editor' then 1 when 'admin' then 2 end`)
    .orderBy('created_at')
    .orderBy('key')
    .execute()
}

export async function findRoleRow(db: Kysely<Database>, key: string): Promise<RoleRow | undefined> {
  return db.selectFrom('roles').select(COLUMNS).where('key', '=', key).executeTakeFirst()
}

/** Returns whether a list of approvers names the role. */
export async function isApproverRole(db: Kysely<Database>, key: string): Promise<boolean> {
  const { rows } = await sql`
    select from environments e, json_array_elements(e.approvers) one where one ->> 'role' = ${key}::text
    limit 1`.execute(db)
  return rows.length > 0
}

/** Locks a role against other changes and against new members until the transaction ends. */
export async function lockRoleRow(tx: Transaction<Database>, key: string): Promise<RoleRow | undefined> {
  const locked = await tx
    .selectFrom('roles')
    .select('key')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  return locked && findRoleRow(tx, key)
}

/** Returns the roles of these keys and locks them against deletion until the transaction ends. */
export async function lockRolesForShare(
  tx: Transaction<Database>,
  keys: readonly string[],
): Promise<Map<string, StoredRole>> {
  const rows = await tx
    .selectFrom('roles')
    .select(['key', 'permissions'])
    .where('key', 'in', [...keys])
    .orderBy('key')
    .forShare()
    .execute()
  return new Map(rows.map(({ key, permissions }) => [key, { role: key, permissions }]))
}

/** Locks the list of roles, so that their number stays within its bound. Returns that number. */
export async function lockRoleCount(tx: Transaction<Database>): Promise<number> {
  const rows = await tx.selectFrom('roles').select('key').orderBy('key').forNoKeyUpdate().execute()
  return rows.length
}

/** False when the key exists; a pending creation is awaited. */
export async function insertRoleRow(
  tx: Transaction<Database>,
  role: { key: string; name: string; description: string; permissions: string[]; created_at: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('roles')
    .values(role)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function updateRoleRow(
  tx: Transaction<Database>,
  key: string,
  set: { name: string; description: string; permissions: string[] },
): Promise<void> {
  await tx.updateTable('roles').set(set).where('key', '=', key).execute()
}

export async function deleteRoleRow(tx: Transaction<Database>, key: string): Promise<void> {
  await tx.deleteFrom('roles').where('key', '=', key).execute()
}
