import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

interface SeenValue {
  readonly environment_id: string
  readonly value: string
  readonly impressions: number
}

interface Waiting {
  readonly environment_id: string
  readonly pending_requests: number
  readonly scheduled_changes: number
}

const VALUE_MAX_LENGTH = 200

/** Adds up the impressions of a flag since a day by value, the most frequent first. */
export async function listWeek(
  db: Kysely<Database>,
  environmentIds: readonly string[],
  { key, since }: { readonly key: string; readonly since: string },
): Promise<readonly SeenValue[]> {
  const { rows } = await sql<SeenValue>`
    select days.environment_id, left("values".value, ${VALUE_MAX_LENGTH}::int) as value,
      sum(days.impressions)::float8 as impressions
    from impression_days days
    join impression_values "values" on "values".environment_id = days.environment_id
      and "values".flag_key = days.flag_key and "values".value_hash = days.value_hash
    where days.environment_id = any(${[...environmentIds]}::uuid[]) and days.flag_key = ${key} and days.day >= ${since}::date
    group by days.environment_id, days.value_hash, "values".value
    order by impressions desc, value`.execute(db)
  return rows
}

/** Counts the changes of a flag that wait, by environment. */
export async function listWaiting(
  db: Kysely<Database>,
  environmentIds: readonly string[],
  key: string,
): Promise<readonly Waiting[]> {
  const { rows } = await sql<Waiting>`
    select id as environment_id,
      (select count(*) from change_requests
        where environment_id = environments.id and flag_key = ${key} and status = 'pending')::int as pending_requests,
      (select count(*) from scheduled_changes
        where environment_id = environments.id and flag_key = ${key} and executed_at is null)::int as scheduled_changes
    from environments where id = any(${[...environmentIds]}::uuid[])`.execute(db)
  return rows
}
