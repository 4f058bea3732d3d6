import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** An evaluation that an SDK reported. */
export interface RecordedEvaluation {
  readonly flag_key: string
  readonly value: string
  readonly evaluated_at: string
  readonly context: object | null
}

/** The evaluations of a user that are searched, and those that are returned of each flag. */
const SEARCHED_MAX = 5_000
const RETURNED_OF_FLAG = 3

/** Returns the reported evaluations of flags for a user within a day around a moment, the closest first. */
export async function findRecorded(
  db: Kysely<Database>,
  environment_id: string,
  { at, flag_keys, user_key }: { at: string; flag_keys: readonly string[]; user_key: string },
): Promise<readonly RecordedEvaluation[]> {
  const { rows } = await sql<RecordedEvaluation>`
    with near as (
      select id, flag_key, value, evaluated_at, context, abs(extract(epoch from evaluated_at - ${at}::timestamptz)) as distance
      from impressions
      where environment_id = ${environment_id}::uuid
        and received_on between (${at}::timestamptz at time zone 'UTC')::date - 1 and (${at}::timestamptz at time zone 'UTC')::date + 2
        and user_id = ${user_key} and hashtextextended(user_id, 0) = hashtextextended(${user_key}, 0)
        and evaluated_at between ${at}::timestamptz - interval '1 day' and ${at}::timestamptz + interval '1 day'
        and flag_key = any(${flag_keys}::text[])
        and not exists (
          select from report_deletions deleted
          where deleted.environment_id = ${environment_id}::uuid and subject = 'flag' and name = impressions.flag_key
            and impressions_to >= impressions.id)
      order by id desc limit ${SEARCHED_MAX}::int
    ), ranked as (
      select *, row_number() over (partition by flag_key order by distance, id) as place from near
    )
    select flag_key, value, evaluated_at, context from ranked where place <= ${RETURNED_OF_FLAG}::int
    order by flag_key, place
  `.execute(db)
  return rows
}
