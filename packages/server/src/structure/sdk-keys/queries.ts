import type { SdkKey } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { KeyKind } from '../../kernel/actor.ts'
import type { Database } from '../../platform/db/tables.ts'

const sdkKeys = (db: Kysely<Database>, project_id: string) =>
  db
    .selectFrom('sdk_keys as k')
    .innerJoin('environments as e', 'e.id', 'k.environment_id')
    .select([
      'k.id',
      'k.name',
      'k.prefix',
      'k.kind',
      'k.parent_id',
      'k.environment_id',
      'e.name as environment_name',
      'k.created_at',
      'k.last_used_at',
    ])
    .where('k.project_id', '=', project_id)

/** A key as it is stored, without its open streams. */
export type ListedKey = Omit<SdkKey, 'streams'>

/** A project's keys, the oldest first. */
export async function listSdkKeys(db: Kysely<Database>, project_id: string): Promise<ListedKey[]> {
  return sdkKeys(db, project_id).orderBy('k.id').execute()
}

export async function findSdkKey(
  db: Kysely<Database>,
  project_id: string,
  id: number,
): Promise<ListedKey | undefined> {
  return sdkKeys(db, project_id).where('k.id', '=', id).executeTakeFirst()
}

export interface SdkKeyRow {
  readonly project_id: string
  readonly environment_id: string
  readonly name: string
  readonly kind: KeyKind
  readonly key_hash: string
  readonly prefix: string
  readonly parent_id: number | null
  readonly created_by: number | null
  readonly is_seeded: boolean
  readonly created_at: string
}

export async function insertSdkKeyRow(db: Kysely<Database>, row: SdkKeyRow): Promise<{ id: number }> {
  return db.insertInto('sdk_keys').values(row).returning('id').executeTakeFirstOrThrow()
}

export type LockedSdkKey = Pick<SdkKey, 'id' | 'name' | 'kind' | 'prefix' | 'parent_id' | 'environment_id'>

/**
 * Locks a project's keys against other revocations until the transaction ends: revocations queue for the
 * project's row. Keys that users create do not wait, those that keys create do.
 */
export async function lockSdkKeys(tx: Transaction<Database>, project_id: string): Promise<LockedSdkKey[]> {
  await queueForKeys(tx, project_id)
  return tx
    .selectFrom('sdk_keys')
    .select(['id', 'name', 'kind', 'prefix', 'parent_id', 'environment_id'])
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute()
}

async function queueForKeys(tx: Transaction<Database>, project_id: string): Promise<void> {
  await tx.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute()
}

/**
 * Returns whether the key may currently create keys; undefined when it was revoked. It queues with
 * revocations, so that revoking a key with its children misses none that is being created.
 */
export async function lockCreatingKey(
  tx: Transaction<Database>,
  { key_id, project_id }: { readonly project_id: string; readonly key_id: number },
): Promise<{ mayManage: boolean } | undefined> {
  await queueForKeys(tx, project_id)
  return tx
    .selectFrom('sdk_keys as k')
    .innerJoin('environments as e', 'e.id', 'k.environment_id')
    .innerJoin('workspace as w', (join) => join.onTrue())
    .select(KEYS_MAY_MANAGE)
    .where('k.id', '=', key_id)
    .executeTakeFirst()
}

/** The setting of an environment `e` and the workspace `w`. */
const KEYS_MAY_MANAGE = sql<boolean>`e.keys_may_manage and w.keys_may_manage`.as('mayManage')

export async function deleteSdkKeys(tx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('sdk_keys').where('id', '=', sql<number>`any(${ids}::int[])`).execute()
}

/** Moves the children of one key to another. */
export async function replaceParent(tx: Transaction<Database>, fromId: number, to_id: number): Promise<void> {
  await tx.updateTable('sdk_keys').set({ parent_id: to_id }).where('parent_id', '=', fromId).execute()
}

export interface KeyHolder {
  readonly key_id: number
  readonly name: string
  readonly key_kind: KeyKind
  readonly project_id: string
  readonly environment_id: string
  readonly mayManage: boolean
  readonly createdBy: number | null
  readonly isSeeded: boolean
}

/** Returns the owner of a key by its SHA-256 in hexadecimal. */
export async function findKeyHolder(db: Kysely<Database>, key_hash: string): Promise<KeyHolder | undefined> {
  return selectKeyHolder(db).where('k.key_hash', '=', key_hash).executeTakeFirst()
}

const selectKeyHolder = (db: Kysely<Database>) =>
  db
    .selectFrom('sdk_keys as k')
    .innerJoin('environments as e', 'e.id', 'k.environment_id')
    .innerJoin('workspace as w', (join) => join.onTrue())
    .select(['k.id as key_id', 'k.name', 'k.kind as key_kind', 'k.project_id', 'k.environment_id'])
    .select(['k.created_by as createdBy', 'k.is_seeded as isSeeded', KEYS_MAY_MANAGE])

/** Returns the owner of a key by its id. */
export async function findKeyHolderById(db: Kysely<Database>, id: number): Promise<KeyHolder | undefined> {
  return selectKeyHolder(db).where('k.id', '=', id).executeTakeFirst()
}

/** Returns those of the given keys that are not revoked, and whether each may manage its environment. */
export async function findLiveSdkKeys(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, boolean>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('sdk_keys as k')
    .innerJoin('environments as e', 'e.id', 'k.environment_id')
    .innerJoin('workspace as w', (join) => join.onTrue())
    .select(['k.id', KEYS_MAY_MANAGE])
    .where('k.id', '=', sql<number>`any(${ids}::int[])`)
    .execute()
  return new Map(rows.map(({ id, mayManage }) => [id, mayManage]))
}

/**
 * Stores the use of keys, except those soon after the stored ones. Rows that another instance is writing or
 * revoking are skipped, so nothing waits for them.
 */
export async function storeKeyUse(
  db: Kysely<Database>,
  { precisionMs, silenceMs, uses }: KeyUse,
): Promise<SilentKey[]> {
  const ids = uses.map(([id]) => id)
  const { rows } = await sql<SilentKey>`
    with before as (
      select id, last_used_at as since from sdk_keys where id = any(${ids}::int[])
      for no key update skip locked
    ), stored as (
      update sdk_keys set last_used_at = used.at
      from unnest(${ids}::int[], ${uses.map(([, at]) => at)}::timestamptz[]) as used (id, at), before
      where sdk_keys.id = used.id and sdk_keys.id = before.id
        and (last_used_at is null or last_used_at <= used.at - make_interval(secs => ${precisionMs / 1000}))
      returning sdk_keys.id, sdk_keys.name, sdk_keys.project_id, used.at, before.since
    )
    select id, name, project_id, since from stored
    where since <= at - make_interval(secs => ${silenceMs / 1000})
  `.execute(db)
  return rows
}

interface KeyUse {
  /** The ids of the keys and the times of their use. */
  readonly uses: readonly (readonly [id: number, at: string])[]
  /** Uses that follow the stored one by less are not stored. */
  readonly precisionMs: number
  /** A key without a use for this time was silent. */
  readonly silenceMs: number
}

/** A key that is used after a long time without a use. */
export interface SilentKey {
  readonly id: number
  readonly name: string
  readonly project_id: string
  /** The use before, ISO 8601 in UTC. */
  readonly since: string
}
