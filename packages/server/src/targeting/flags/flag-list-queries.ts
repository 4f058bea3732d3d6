import type { FlagExtensions } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { type Kysely, sql } from 'kysely'
import { wholeText } from '../../changes/index.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow, utcText, withFields } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'
import { TIME_COLUMNS } from './flag-row-queries.ts'
import { FLAG_COLUMNS } from './queries.ts'

/** The filters of a list. An absent one does not filter. */
export interface FlagFilters {
  readonly archived?: boolean
  /** One of the flag's tags, exactly. */
  readonly tag?: string
  /** The whole owner, ignoring case. */
  readonly owner_email?: string
  /** A part of the key or description, ignoring case. */
  readonly q?: string
}

const LISTED = [...FLAG_COLUMNS, ...TIME_COLUMNS] as const

/** Lists flags by key, in code unit order, as stored, after the one with the key `after`. */
export function flagList(
  environment_id: string,
  { archived, owner_email, q, tag }: FlagFilters,
  after: string | null,
): ListQuery {
  const conditions = [sql`environment_id = ${environment_id}::uuid`]
  if (after !== null) conditions.push(sql`key collate "C" > ${after}`)
  if (archived !== undefined)
    conditions.push(archived ? sql`archived_at is not null` : sql`archived_at is null`)
  if (tag !== undefined) conditions.push(sql`tags::jsonb ? ${tag}`)
  if (owner_email !== undefined) conditions.push(sql`lower(owner_email) = lower(${owner_email})`)
  if (q !== undefined)
    conditions.push(sql`(strpos(lower(key), lower(${q})) > 0 or strpos(lower(description), lower(${q})) > 0)`)
  const columns = sql.join(LISTED.map((column) => sql.ref(column)))
  return {
    rows: sql`select ${columns}, extensions, bytes from flags where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`key collate "C"`,
    item: withFields(jsonRow(LISTED, ['archived_at', 'created_at', 'updated_at']), sql`extensions`),
    place: sql`json_build_array(key)`,
  }
}

/** A flag of one or both of two environments. */
export interface FlagPair {
  readonly key: string
  readonly in_source: boolean
  readonly in_target: boolean
  /** The fields that differ, as JSON, all others null; absent for both sides when nothing differs. */
  readonly source?: FlagFields
  readonly target?: FlagFields
}

type Compared = Exclude<(typeof FLAG_COLUMNS)[number], 'key' | 'revision'>

/** The fields of one side; `extensions` has those that are absent unless they are set. */
export type FlagFields = Readonly<Record<Compared, JsonValue>> & {
  readonly extensions: FlagExtensions | null
}

const COMPARED = [...FLAG_COLUMNS, 'extensions'].filter((column) => column !== 'key' && column !== 'revision')
/** The bytes of a pair without differences. */
const PAIR_BYTES = 200

/**
 * Lists the flags of either environment as `FlagPair`, by key, in code unit order, after the one with the key
 * `after`. Equal fields are not read from the database.
 */
export function flagPairList(sourceId: string, targetId: string, after: string | null): ListQuery {
  const side = (id: string) => sql`
    (select * from flags where environment_id = ${id}::uuid and (${after}::text is null or key collate "C" > ${after}::text))`
  return {
    rows: sql`
      select key, source.key is not null as in_source, target.key is not null as in_target, differs,
        case when differs then source.bytes + target.bytes else ${PAIR_BYTES}::int end as bytes
      from ${side(sourceId)} source full join ${side(targetId)} target using (key)
      cross join lateral (
        select source.key = target.key and row(${textsOf('source')}) is distinct from row(${textsOf('target')}) as differs
      ) compared`,
    orderBy: sql`key collate "C"`,
    item: sql`coalesce((
      select json_build_object('key', page.key, 'in_source', true, 'in_target', true,
        'source', json_build_object(${differingFields('source', 'target')}),
        'target', json_build_object(${differingFields('target', 'source')}))::text
      from flags source join flags target using (key)
      where page.differs and source.environment_id = ${sourceId}::uuid and target.environment_id = ${targetId}::uuid and key = page.key
    ), json_build_object('key', page.key, 'in_source', page.in_source, 'in_target', page.in_target)::text)`,
    place: sql`json_build_array(key)`,
  }
}

const field = (side: string, column: string) => sql.ref(`${side}.${column}`)

const textsOf = (side: string) => sql.join(COMPARED.map((column) => sql`${field(side, column)}::text`))

/** Returns names and values for an object, with null for fields that are equal on the other side. */
const differingFields = (side: string, other: string) =>
  sql.join(
    COMPARED.map((column) => {
      const value = column === 'archived_at' ? utcText(field(side, column)) : field(side, column)
      const isAlike = sql`${field(side, column)}::text is not distinct from ${field(other, column)}::text`
      return sql`${sql.lit(column)}, case when ${isAlike} then null else ${value} end`
    }),
  )

/** A stored state of a flag. `flag` is JSON of any version of the program. */
export interface StoredFlagState {
  readonly action: string
  readonly actor_email: string
  readonly created_at: string
  readonly comment: string | null
  readonly flag: unknown
}

const STATE_TEXT = wholeText({
  json: 'after_data',
  chunks: 'after_chunks',
  month: 'month',
  environment_id: 'environment_id',
})

interface StatePaging {
  /** The id of the entry after which the page starts. */
  readonly beforeId: number | null
  readonly limit: number
  readonly offset: number
}

/** Lists the states of a flag in the audit log as `StoredFlagState`, newest first. */
export function flagStateList(
  { environment_id, key }: FlagPlace,
  { beforeId, limit, offset }: StatePaging,
): ListQuery {
  return {
    rows: sql`
      select id, month, environment_id, action, actor_email, created_at, after_data, after_chunks,
        coalesce(metadata ->> 'comment', metadata ->> 'request_comment') as comment,
        300 + coalesce(after_size, octet_length(after_data::text), 0) as bytes
      from audit_log
      where ${isState({ environment_id, key })} and (${beforeId}::bigint is null or id < ${beforeId}::bigint)
      order by id desc limit ${limit + 1}::int offset ${offset}::bigint`,
    orderBy: sql`id desc`,
    item: sql`concat('{"action":', to_json(action), ',"actor_email":', to_json(actor_email),
      ',"created_at":', to_json(${utcText(sql`created_at`)}), ',"comment":', coalesce(to_json(comment)::text, 'null'),
      ',"flag":', ${STATE_TEXT}, '}')`,
    place: sql`json_build_array(id)`,
  }
}

/** Returns the state in which the flag had that revision. */
export async function findFlagState(
  db: Kysely<Database>,
  place: FlagPlace,
  revision: number,
): Promise<unknown> {
  const { rows } = await sql<{ flag: unknown }>`
    select ${STATE_TEXT}::json as flag from audit_log
    where ${isState(place)} and ${AFTER_REVISION} = ${String(revision)}
    order by id desc limit 1
  `.execute(db)
  return rows[0]?.flag
}

interface FlagPlace {
  readonly environment_id: string
  readonly key: string
}

/**
 * The actions that may leave a flag in a new state (docs/reference/governance.md#audit-log). An approval does
 * when it did more than schedule, which raised the revision. Other entries of a flag concern requests and
 * schedules.
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

/** Entries of earlier versions have the revision only in their data. */
const BEFORE_REVISION = sql`coalesce(before_revision::text, before_data ->> 'revision')`
const AFTER_REVISION = sql`coalesce(after_revision::text, after_data ->> 'revision')`

const isState = ({ environment_id, key }: FlagPlace) => sql`
  environment_id = ${environment_id}::uuid and flag_key = ${key} and flag_key <> '' and action = any(${STATE_ACTIONS}::text[])
  and ${AFTER_REVISION} is not null and ${BEFORE_REVISION} is distinct from ${AFTER_REVISION}`
