import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { Condition } from './parse-filter.ts'

export interface StoredGroup {
  readonly id: string
  readonly display_name: string
  readonly external_id: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface GroupMember {
  readonly user_id: number
  readonly name: string
}

const COLUMNS = ['id', 'display_name', 'external_id', 'created_at', 'updated_at'] as const

export async function findGroup(db: Kysely<Database>, id: string): Promise<StoredGroup | undefined> {
  return db.selectFrom('scim_groups').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locks a group until the transaction ends: changes of its members follow each other. */
export async function lockGroup(tx: Transaction<Database>, id: string): Promise<StoredGroup | undefined> {
  return tx.selectFrom('scim_groups').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
}

const comparisonOf = ({ attribute, value }: Condition) => {
  const text = String(value)
  switch (attribute) {
    case 'id':
      return sql<boolean>`g.id::text = lower(${text})`
    case 'displayname':
      return sql<boolean>`lower(g.display_name) = lower(${text})`
    case 'externalid':
      return sql<boolean>`g.external_id = ${text}`
    case 'members':
    case 'members.value':
      return sql<boolean>`exists (select from scim_members m where m.group_id = g.id and m.user_id::text = ${text})`
    default:
      return null
  }
}

/** Returns whether a filter of groups can compare the attribute. */
export const isGroupAttribute = (condition: Condition): boolean => comparisonOf(condition) !== null

export interface ListedGroup extends StoredGroup {
  readonly members: number
}

/** Returns a page of the groups that meet all conditions with their sizes, and the number of all of them. */
export async function listGroups(
  db: Kysely<Database>,
  conditions: readonly Condition[],
  { limit, offset }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly groups: readonly ListedGroup[] }> {
  let found = db.selectFrom('scim_groups as g')
  for (const condition of conditions) {
    const comparison = comparisonOf(condition)
    if (comparison) found = found.where(comparison)
  }
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  if (limit === 0) return { total: Number(total), groups: [] }
  const groups = await found
    .select(['g.id', 'g.display_name', 'g.external_id', 'g.created_at', 'g.updated_at'])
    .select(sql<number>`(select count(*)::integer from scim_members m where m.group_id = g.id)`.as('members'))
    .orderBy('g.created_at')
    .orderBy('g.id')
    .offset(offset)
    .limit(limit)
    .execute()
  return { total: Number(total), groups }
}

/** Returns the members of groups, by the id of the group. */
export async function findMembers(
  db: Kysely<Database>,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, readonly GroupMember[]>> {
  const rows = await db
    .selectFrom('scim_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.group_id', 'm.user_id', 'u.name'])
    .where('m.group_id', '=', sql<string>`any(${[...groupIds]}::uuid[])`)
    .orderBy('m.user_id')
    .execute()
  const members = new Map<string, GroupMember[]>()
  for (const { group_id, ...member } of rows) {
    const known = members.get(group_id)
    if (known) known.push(member)
    else members.set(group_id, [member])
  }
  return members
}

export async function countGroups(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('scim_groups')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countMembers(db: Kysely<Database>, group_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('scim_members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('group_id', '=', group_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Violates `scim_groups_display_name_key` or `scim_groups_external_id_key`. */
export async function insertGroup(tx: Transaction<Database>, group: StoredGroup): Promise<void> {
  await tx.insertInto('scim_groups').values(group).execute()
}

/** Violates the same indexes as `insertGroup`. */
export async function updateGroup(
  tx: Transaction<Database>,
  { display_name, external_id, id, updated_at }: Omit<StoredGroup, 'created_at'>,
): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set({ display_name, external_id, updated_at })
    .where('id', '=', id)
    .execute()
}

export async function deleteGroupRow(tx: Transaction<Database>, id: string): Promise<void> {
  await tx.deleteFrom('scim_groups').where('id', '=', id).execute()
}

/** Returns those of the ids that belong to accounts that SCIM manages, in their order. */
export async function findManagedIds(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('scim_users')
    .select('user_id')
    .where('user_id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .where('deleted_at', 'is', null)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Adds members. Returns those who were none. */
export async function addMembers(
  tx: Transaction<Database>,
  group_id: string,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly user_id: number }>`
    insert into scim_members (group_id, user_id)
    select ${group_id}::uuid, user_id from scim_users
    where user_id = any(${[...ids]}::integer[]) and deleted_at is null order by user_id
    on conflict do nothing returning user_id
  `.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** Removes members; with `kept`, everyone but those. Returns whom. */
export async function removeMembers(
  tx: Transaction<Database>,
  group_id: string,
  who: { readonly removed: readonly number[] } | { readonly kept: readonly number[] },
): Promise<readonly number[]> {
  const deletion = tx.deleteFrom('scim_members').where('group_id', '=', group_id)
  const rows = await ('kept' in who
    ? deletion.where('user_id', '<>', sql<number>`all(${[...who.kept]}::integer[])`)
    : deletion.where('user_id', '=', sql<number>`any(${[...who.removed]}::integer[])`)
  )
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}
