import type { Flag, FlagExtensions, ListedFlag } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { compileStatement } from '../../platform/db/compile-statement.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { NeedingFlag } from '../flag-model/index.ts'
import { TIME_COLUMNS } from './flag-row-queries.ts'

/** The columns of a flag that it always has, in the order of docs/reference/flags.md#flag-fields. */
export const FLAG_COLUMNS = [
  'key',
  'is_enabled',
  'rollout_percentage',
  'description',
  'rules',
  'flag_type',
  'default_value',
  'disabled_value',
  'variants',
  'prerequisites',
  'tags',
  'owner_email',
  'archived_at',
  'revision',
] as const

/** The stored columns of a flag: its fields, and the object of those that are absent unless they are set. */
const STORED_COLUMNS = [...FLAG_COLUMNS, 'extensions'] as const

/** Returns the flag of a row. */
const toFlag = <R extends { readonly extensions: FlagExtensions }>({ extensions, ...columns }: R) => ({
  ...columns,
  ...extensions,
})

export async function findListedFlag(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<ListedFlag | undefined> {
  const row = await db
    .selectFrom('flags')
    .select([...STORED_COLUMNS, ...TIME_COLUMNS])
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && toFlag(row)
}

export async function findFlag(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<Flag | undefined> {
  return (await findStoredFlag(db, environment_id, key))?.flag
}

/** The columns of a flag's row that are no part of the flag, and that a change of it needs. */
export interface FlagRow {
  readonly created_at: string
  /** The bytes that SDKs receive of the flag. */
  readonly wire_bytes: number
}

export async function findStoredFlag(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<{ readonly flag: Flag; readonly row: FlagRow } | undefined> {
  const { rows } = await db.executeQuery<StoredFlagColumns & FlagRow>(FIND_FLAG({ environment_id, key }))
  if (!rows[0]) return undefined
  const { created_at, wire_bytes, ...columns } = rows[0]
  return { flag: toFlag(columns), row: { created_at, wire_bytes } }
}

type StoredFlagColumns = Pick<Flag, (typeof FLAG_COLUMNS)[number]> & { readonly extensions: FlagExtensions }

const FIND_FLAG = compileStatement(`
  select ${STORED_COLUMNS.join(', ')}, created_at, wire_bytes from flags
  where environment_id = :environment_id::uuid and key = :key`)

/**
 * Returns when each of the existing keys was created, ISO 8601 in UTC. A key may be deleted and created
 * again.
 */
export async function findCreationTimes(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('flags')
    .select(['key', 'created_at'])
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ created_at, key }) => [key, created_at]))
}

/** Returns the flags that exist among the keys. */
export async function findFlags(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<Flag[]> {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('flags')
    .select(STORED_COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  return rows.map(toFlag)
}

/** The flags that are read at once. The driver parses all rows that have arrived in one turn. */
const ACTIVE_PAGE = 500

/**
 * Returns flags that are not archived, by key, in code unit order. They are read in several statements, which
 * see one state in a transaction of `repeatable read`.
 */
export async function listActiveFlags(db: Kysely<Database>, environment_id: string): Promise<Flag[]> {
  const flags: Flag[] = []
  for (;;) {
    const after = flags.at(-1)?.key ?? ''
    const rows = await db
      .selectFrom('flags')
      .select(STORED_COLUMNS)
      .where('environment_id', '=', environment_id)
      .where('archived_at', 'is', null)
      .where(sql`key collate "C"`, '>', after)
      .orderBy(sql`key collate "C"`)
      .limit(ACTIVE_PAGE)
      .execute()
    for (const row of rows) flags.push(toFlag(row))
    if (rows.length < ACTIVE_PAGE) return flags
    await shareTurn()
  }
}

/** The stored bytes, and the number, of flags that are read to find warnings about prerequisites. */
const REACHABLE_FLAGS_MAX_BYTES = 4 * 1024 * 1024
const REACHABLE_FLAGS_MAX = 10_000

/**
 * Returns the flags that the given ones reach through their prerequisites, with the given ones, but without
 * the flag that is being validated, whose stored state is outdated. Returns null when they are larger than
 * `REACHABLE_FLAGS_MAX_BYTES`, or too many, names of flags that do not exist included: their sizes are added
 * up before they are read.
 */
export async function listReachableFlags(
  db: Kysely<Database>,
  environment_id: string,
  { except, keys }: { readonly keys: readonly string[]; readonly except: string },
): Promise<Flag[] | null> {
  const { rows } = await sql<{ keys: readonly string[] | null }>`
    with recursive reachable (key) as (
      select unnest(${keys}::text[])
      union
      select json_array_elements(flags.prerequisites) ->> 'flag_key'
      from reachable join flags on flags.key = reachable.key and flags.environment_id = ${environment_id}::uuid
        and flags.key <> ${except}
    )
    select case
      when count(*) <= ${REACHABLE_FLAGS_MAX}::int and coalesce(sum(bytes), 0) <= ${REACHABLE_FLAGS_MAX_BYTES}::int
      then coalesce(array_agg(flags.key) filter (where flags.key is not null), array[]::text[]) end as keys
    from (select key from reachable limit ${REACHABLE_FLAGS_MAX + 1}::int) bounded
    left join flags on flags.key = bounded.key and flags.environment_id = ${environment_id}::uuid
      and flags.key <> ${except}`.execute(db)
  const found = rows[0]?.keys ?? null
  return found && findFlags(db, environment_id, found)
}

/** The stored bytes of prerequisites that are read to find who needs a hidden flag. */
const NEEDS_MAX_BYTES = 4 * 1024 * 1024

/**
 * Returns the flags with prerequisites that are not archived; none when their prerequisites are larger than
 * `NEEDS_MAX_BYTES` together.
 */
export async function listNeedingFlags(
  db: Kysely<Database>,
  environment_id: string,
): Promise<readonly NeedingFlag[]> {
  const { rows } = await sql<NeedingFlag>`
    with needing as materialized (
      select key, prerequisites, extensions ->> 'client_visible' is null as is_visible from flags
      where environment_id = ${environment_id}::uuid and archived_at is null and prerequisites::text <> '[]'
    )
    select key, prerequisites, is_visible from needing
    where (select sum(octet_length(prerequisites::text)) from needing) <= ${NEEDS_MAX_BYTES}::int`.execute(db)
  return rows
}

/** Returns the keys of flags that the name manages and that are not archived, at most `limit`. */
export async function listManagedKeys(
  db: Kysely<Database>,
  environment_id: string,
  { limit, name }: { readonly limit: number; readonly name: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('flags')
    .select('key')
    .where('environment_id', '=', environment_id)
    .where('archived_at', 'is', null)
    .where(sql<boolean>`extensions::jsonb->>'managed_by' = ${name}`)
    .orderBy(sql`key collate "C"`)
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

/** Returns the stored bytes of these flags together. */
export async function countFlagBytes(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<number> {
  const { bytes } = await db
    .selectFrom('flags')
    .select(sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'))
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .executeTakeFirstOrThrow()
  return bytes
}

/** Returns flags that name any segment, archived ones included. */
export async function listFlagsNamingSegments(db: Kysely<Database>, environment_id: string): Promise<Flag[]> {
  const rows = await db
    .selectFrom('flags')
    .select(STORED_COLUMNS)
    .where('environment_id', '=', environment_id)
    .where(sql<boolean>`(jsonb_path_exists(rules::jsonb, '$[*].segment_key')
      or jsonb_path_exists(rules::jsonb, '$[*].conditions[*].segment_key'))`)
    .orderBy(sql`key collate "C"`)
    .execute()
  return rows.map(toFlag)
}

/**
 * Returns the environment's revision and project in a statement of its own: it starts the snapshot of its
 * caller's transaction.
 */
export async function findRevision(
  db: Kysely<Database>,
  environment_id: string,
): Promise<{ project_id: string; revision: number } | undefined> {
  return db
    .selectFrom('environments')
    .select(['project_id', 'revision'])
    .where('id', '=', environment_id)
    .executeTakeFirst()
}
