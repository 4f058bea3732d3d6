import { type Experiment, type ExperimentPatch, LISTED_VALUES_MAX } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { reportHash } from '../../platform/crypto/report-hash.ts'
import { byteaArray } from '../../platform/db/binary-array.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { ExperimentCount, VariantCount } from './experiment-results.ts'

const COLUMNS = [
  'id',
  'environment_id',
  'key',
  'name',
  'description',
  'flag_key',
  'goal_event_key',
  'control_variant',
  'status',
  'created_at',
] as const

/** The place of an experiment: its environment and key. */
export interface ExperimentPlace {
  readonly environment_id: string
  readonly key: string
}

/** The bytes of an experiment without its texts. */
const EXPERIMENT_BYTES = 500

/** Lists experiments by key, in code unit order, after the one with the key `after`. */
export const experimentList = (environment_id: string, after: string | null): ListQuery => ({
  rows: sql`
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))},
      ${EXPERIMENT_BYTES}::int + octet_length(name) + coalesce(octet_length(description), 0)
        + coalesce(octet_length(control_variant), 0) as bytes
    from experiments
    where environment_id = ${environment_id}::uuid and (${after}::text is null or key collate "C" > ${after}::text)`,
  orderBy: sql`key collate "C"`,
  item: jsonRow(COLUMNS, ['created_at']),
  place: sql`json_build_array(key)`,
})

export async function findExperiment(
  db: Kysely<Database>,
  { environment_id, key }: ExperimentPlace,
): Promise<Experiment | undefined> {
  return db
    .selectFrom('experiments')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Returns an experiment and locks it against other changes until the transaction ends. */
export async function lockExperiment(
  tx: Transaction<Database>,
  { environment_id, key }: ExperimentPlace,
): Promise<Experiment | undefined> {
  return tx
    .selectFrom('experiments')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
}

/** False when the environment already has the key; a pending creation is awaited. */
export async function insertExperiment(tx: Transaction<Database>, experiment: Experiment): Promise<boolean> {
  const inserted = await tx
    .insertInto('experiments')
    .values(experiment)
    .onConflict((conflict) => conflict.columns(['environment_id', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function updateExperimentRow(
  tx: Transaction<Database>,
  { description, goal_event_key, id, name, control_variant, status }: Experiment,
): Promise<void> {
  const set: Required<ExperimentPatch> = { status, name, description, goal_event_key, control_variant }
  await tx.updateTable('experiments').set(set).where('id', '=', id).execute()
}

export async function deleteExperimentRow(tx: Transaction<Database>, id: string): Promise<void> {
  await tx.deleteFrom('experiments').where('id', '=', id).execute()
}

/** The data that counts depend on. Experiments with the same flag and goal share them. */
export interface CountedPair {
  readonly environment_id: string
  readonly flag_key: string
  readonly goal_event_key: string
  /** Values that are counted even with few users. */
  readonly always: readonly string[]
}

/** Versions that grow with each report of the flag and of the goal; 0 when there is none. */
export interface ReportVersions {
  readonly impressions: number
  readonly goals: number
}

export async function readReportVersions(
  db: Kysely<Database>,
  { environment_id, flag_key, goal_event_key }: CountedPair,
): Promise<ReportVersions> {
  const { rows } = await sql<ReportVersions>`
    select
      coalesce((
        select version from impression_flags
        where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}::text), 0) as impressions,
      coalesce((
        select version from goals
        where environment_id = ${environment_id}::uuid and event_key = ${goal_event_key}::text), 0) as goals
  `.execute(db)
  return rows[0] ?? { impressions: 0, goals: 0 }
}

/**
 * Counts each user once, under the value that they saw first, equal times in the order of arrival; a user has
 * converted when the last time that they reached the goal is not earlier
 * (docs/reference/reports.md#experiment-results). Anonymous evaluations have no user and do not count. Only
 * the most frequent values are distinguished: a flag may have as many as users.
 */
export async function countVariants(
  db: Kysely<Database>,
  { always, environment_id, flag_key, goal_event_key }: CountedPair,
): Promise<ExperimentCount> {
  return db.transaction().execute(async (tx) => {
    await preferScans(tx)
    const { rows } = await sql<VariantCount & { total_exposed: number; total_converted: number }>`
    with first_seen as (
      select distinct on (user_hash) user_hash, value_hash, first_at
      from impression_users
      where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}::text
        and first_id > (
          select deleted_to from impression_flags
          where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}::text)
      order by user_hash, first_at, first_id
    ), counted as (
      select s.value_hash, count(*) as exposed, count(*) filter (where g.last_at >= s.first_at) as converted
      from first_seen s
      left join goal_users g
        on g.environment_id = ${environment_id}::uuid
        and g.event_key = ${goal_event_key}::text
        and g.user_hash = s.user_hash
        and g.first_id > (
          select deleted_to from goals
          where environment_id = ${environment_id}::uuid and event_key = ${goal_event_key}::text)
      group by s.value_hash
    ), ranked as (
      select v.value as variant, v.value_hash, c.exposed, c.converted,
        sum(c.exposed) over ()::bigint as total_exposed, sum(c.converted) over ()::bigint as total_converted,
        row_number() over (order by c.exposed desc, v.value) as place
      from counted c
      join impression_values v
        on v.environment_id = ${environment_id}::uuid
        and v.flag_key = ${flag_key}::text
        and v.value_hash = c.value_hash
    )
    select variant, exposed, converted, total_exposed, total_converted from ranked
    where place <= ${LISTED_VALUES_MAX}::int or value_hash = any(${byteaArray(always.map(reportHash))}::bytea[])
  `.execute(tx)
    return {
      variants: rows.map(({ converted, exposed, variant }) => ({ variant, exposed, converted })),
      total_exposed: rows[0]?.total_exposed ?? 0,
      total_converted: rows[0]?.total_converted ?? 0,
    }
  })
}

/**
 * Sets planner options for this transaction. Most of the rows are counted: sequential scans, sorting and
 * hashing take half as long for 200,000 users as the primary keys, which PostgreSQL would choose. Before the
 * tables are analyzed it takes them for empty, and its nested loops would take minutes.
 */
async function preferScans(tx: Transaction<Database>): Promise<void> {
  await sql`
    select
      set_config('enable_indexscan', 'off', true),
      set_config('enable_nestloop', 'off', true),
      set_config('work_mem', '32MB', true)
  `.execute(tx)
}
