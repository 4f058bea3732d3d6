import type { Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/db/tables.ts'
import { FLAG_COLUMNS } from '../queries.ts'

/** A timestamp inside JSON, written as timestamps are read elsewhere: ISO-8601 UTC with milliseconds. */
const utcText = (column: RawBuilder<unknown>) =>
  sql<string | null>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** What a list is narrowed by; what is not said does not narrow. */
export interface FlagFilters {
  readonly archived?: boolean
  /** Exactly one of the flag's tags. */
  readonly tag?: string
  /** The whole owner, in whatever case. */
  readonly owner_email?: string
  /** A part of key or description, in whatever case. */
  readonly q?: string
}

/**
 * Flags by key, in code unit order, each as the text of its JSON: PostgreSQL hands the stored JSON on as it is, and a list
 * of thousands is neither parsed nor written anew here.
 */
export async function listFlagTexts(
  db: Kysely<Database>,
  environment_id: string,
  { archived, owner_email, q, tag }: FlagFilters,
): Promise<string[]> {
  let listed = db
    .selectFrom('flags')
    .select(
      FLAG_COLUMNS.map((column) => (column === 'archived_at' ? utcText(sql.ref(column)).as(column) : column)),
    )
    .where('environment_id', '=', environment_id)
    .orderBy(sql`key collate "C"`)
  if (archived !== undefined) listed = listed.where('archived_at', archived ? 'is not' : 'is', null)
  if (tag !== undefined) listed = listed.where(sql<boolean>`tags::jsonb ? ${tag}`)
  if (owner_email !== undefined)
    listed = listed.where(sql<boolean>`lower(owner_email) = lower(${owner_email})`)
  if (q !== undefined) {
    const holds = (text: 'key' | 'description') =>
      sql<boolean>`strpos(lower(${sql.ref(text)}), lower(${q})) > 0`
    listed = listed.where((match) => match.or([holds('key'), holds('description')]))
  }
  const rows = await db
    .selectFrom(listed.as('listed'))
    .select(sql<string>`row_to_json(listed)::text`.as('flag'))
    .execute()
  return rows.map(({ flag }) => flag)
}

export interface FlagPair {
  readonly key: string
  readonly in_source: boolean
  readonly in_target: boolean
  /** The fields that are not stored alike, as JSON, all others null; null for both sides where nothing differs. */
  readonly source: FlagFields | null
  readonly target: FlagFields | null
}

type FlagFields = Readonly<Record<Exclude<keyof Flag, 'key' | 'revision'>, JsonValue>>

const COMPARED = FLAG_COLUMNS.filter((column) => column !== 'key' && column !== 'revision')

/** The flags of either environment, by key, in code unit order. What is stored alike does not leave the database. */
export async function readFlagPairs(
  db: Kysely<Database>,
  source_id: string,
  target_id: string,
): Promise<FlagPair[]> {
  const field = (side: string, column: string) => sql.ref(`${side}.${column}`)
  const texts = (side: string) => sql.join(COMPARED.map((column) => sql`${field(side, column)}::text`))
  const fields = (side: string, other: string) =>
    COMPARED.map((column) => {
      const value = column === 'archived_at' ? utcText(field(side, column)) : field(side, column)
      const is_alike = sql`${field(side, column)}::text is not distinct from ${field(other, column)}::text`
      return sql`${sql.lit(column)}, case when ${is_alike} then null else ${value} end`
    })
  const { rows } = await sql<FlagPair>`
    select key, in_source, in_target,
      case when differs then json_build_object(${sql.join(fields('source', 'target'))}) end as source,
      case when differs then json_build_object(${sql.join(fields('target', 'source'))}) end as target
    from (select *, true as in_source from flags where environment_id = ${source_id}::uuid) source
    full join (select *, true as in_target from flags where environment_id = ${target_id}::uuid) target using (key)
    cross join lateral (
      select in_source and in_target and row(${texts('source')}) is distinct from row(${texts('target')}) as differs
    ) judged
    order by key collate "C"
  `.execute(db)
  return rows.map((row) => ({ ...row, in_source: row.in_source ?? false, in_target: row.in_target ?? false }))
}

/** One stored state of a flag: `flag` is JSON as some version of the program wrote it. */
export interface StoredFlagState {
  readonly action: string
  readonly actor_email: string
  readonly created_at: string
  readonly flag: unknown
}

/** The states that the audit log holds of a flag, newest first. */
export async function listFlagStates(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredFlagState[]> {
  return selectFlagStates(db, environment_id, key).orderBy('id', 'desc').limit(limit).offset(offset).execute()
}

/** The state in which the flag had that revision. */
export async function findFlagState(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
  revision: number,
): Promise<StoredFlagState | undefined> {
  return selectFlagStates(db, environment_id, key)
    .where(sql<boolean>`after_data ->> 'revision' = ${String(revision)}`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * What may leave a flag in a new state (contract, section 10). An approval does where it did more than schedule: then the
 * revision has grown. Other entries of a flag tell of requests and schedules.
 */
const STATE_ACTIONS = [
  'create',
  'update',
  'promote',
  'archive',
  'unarchive',
  'restore',
  'change_request.approve',
]

function selectFlagStates(db: Kysely<Database>, environment_id: string, key: string) {
  return db
    .selectFrom('audit_log')
    .select(['action', 'actor_email', 'created_at', 'after_data as flag'])
    .where('environment_id', '=', environment_id)
    .where('flag_key', '=', key)
    .where('flag_key', '<>', '')
    .where('action', 'in', STATE_ACTIONS)
    .where(sql<boolean>`after_data ->> 'revision' is not null`)
    .where(sql<boolean>`before_data ->> 'revision' is distinct from after_data ->> 'revision'`)
}
