import { type Kysely, sql } from 'kysely'
import { wholeText } from '../../changes/index.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { utcText } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'

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
