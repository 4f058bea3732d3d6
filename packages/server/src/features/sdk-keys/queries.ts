import type { SdkKey } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A project's keys, the oldest first. */
export async function listSdkKeys(db: Kysely<Database>, project_id: string): Promise<SdkKey[]> {
  return db
    .selectFrom('sdk_keys as k')
    .innerJoin('environments as e', 'e.id', 'k.environment_id')
    .select([
      'k.id',
      'k.name',
      'k.prefix',
      'k.kind',
      'k.environment_id',
      'e.name as environment_name',
      'k.created_at',
    ])
    .where('k.project_id', '=', project_id)
    .orderBy('k.id')
    .execute()
}

export async function sdkKeyExists(db: Kysely<Database>, project_id: string, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('sdk_keys')
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row !== undefined
}

export interface SdkKeyRow {
  readonly project_id: string
  readonly environment_id: string
  readonly name: string
  readonly kind: 'server' | 'client'
  readonly key_hash: string
  readonly prefix: string
  readonly created_at: string
}

export async function insertSdkKeyRow(db: Kysely<Database>, row: SdkKeyRow): Promise<{ id: number }> {
  return db.insertInto('sdk_keys').values(row).returning('id').executeTakeFirstOrThrow()
}

export type LockedSdkKey = Pick<SdkKey, 'id' | 'name' | 'kind' | 'prefix' | 'environment_id'>

/**
 * A project's keys, locked against other revocations until the transaction ends: the project's row is what revocations
 * queue for. New keys are not kept waiting.
 */
export async function lockSdkKeys(tx: Transaction<Database>, project_id: string): Promise<LockedSdkKey[]> {
  await tx.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute()
  return tx
    .selectFrom('sdk_keys')
    .select(['id', 'name', 'kind', 'prefix', 'environment_id'])
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute()
}

export async function deleteSdkKey(db: Kysely<Database>, id: number): Promise<void> {
  await db.deleteFrom('sdk_keys').where('id', '=', id).execute()
}

export interface KeyHolder {
  readonly key_id: number
  readonly name: string
  readonly key_kind: 'server' | 'client'
  readonly project_id: string
  readonly environment_id: string
}

/** Whom a key belongs to, by the SHA-256 of the key in hexadecimal. */
export async function findKeyHolder(db: Kysely<Database>, key_hash: string): Promise<KeyHolder | undefined> {
  return db
    .selectFrom('sdk_keys')
    .select(['id as key_id', 'name', 'kind as key_kind', 'project_id', 'environment_id'])
    .where('key_hash', '=', key_hash)
    .executeTakeFirst()
}

/** Those of the given keys that are not revoked. */
export async function findLiveSdkKeys(db: Kysely<Database>, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('sdk_keys')
    .select('id')
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
