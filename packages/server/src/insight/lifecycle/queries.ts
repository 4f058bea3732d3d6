import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A flag, and what decides whether it is stale beside its values. */
export interface AssessedRow {
  readonly environment_id: string
  readonly key: string
  readonly prerequisite_keys: readonly string[]
  readonly is_enabled: boolean
  readonly lifetime: string | null
  readonly expires_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** The reports of a flag in the days that are looked at. */
export interface SeenRow {
  readonly environment_id: string
  readonly flag_key: string
  readonly impressions: number
  readonly values: number
  /** One of the values, cut. */
  readonly value: string
}

export interface DependantRow {
  readonly kind: 'experiment' | 'scheduled_change' | 'change_request' | 'invariant'
  readonly flag_key: string
  readonly key: string
}

const VALUE_MAX_LENGTH = 100

/** Reads the active flags of a project, or one of them, without their rules. */
export async function listAssessedFlags(
  db: Kysely<Database>,
  project_id: string,
  key: string | null,
): Promise<readonly AssessedRow[]> {
  const { rows } = await sql<AssessedRow>`
    select flags.environment_id, flags.key, flags.is_enabled,
      array(select item ->> 'flag_key' from json_array_elements(prerequisites::json) item) as prerequisite_keys,
      extensions ->> 'lifetime' as lifetime, extensions ->> 'expires_at' as expires_at,
      flags.created_at, flags.updated_at
    from flags join environments on environments.id = flags.environment_id
    where environments.project_id = ${project_id}::uuid and flags.archived_at is null
      and (${key}::text is null or flags.key = ${key}::text)
    order by flags.key collate "C", environments.position`.execute(db)
  return rows
}

/** Returns the flags that have the flag as a prerequisite, in any environment. */
export async function listNeedingKeys(
  db: Kysely<Database>,
  project_id: string,
  key: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct flags.key from flags join environments on environments.id = flags.environment_id
    where environments.project_id = ${project_id}::uuid and flags.archived_at is null
      and prerequisites::jsonb @> ${JSON.stringify([{ flag_key: key }])}::jsonb
    order by flags.key`.execute(db)
  return rows.map((row) => row.key)
}

/** Adds up the impressions of each flag since a day. */
export async function listSeen(
  db: Kysely<Database>,
  project_id: string,
  since: string,
): Promise<readonly SeenRow[]> {
  const { rows } = await sql<SeenRow>`
    select days.environment_id, days.flag_key, sum(days.impressions)::float8 as impressions,
      count(distinct days.value_hash)::int as "values", min(left("values".value, ${VALUE_MAX_LENGTH}::int)) as value
    from impression_days days
    join environments on environments.id = days.environment_id
    join impression_values "values" on "values".environment_id = days.environment_id
      and "values".flag_key = days.flag_key and "values".value_hash = days.value_hash
    where environments.project_id = ${project_id}::uuid and days.day >= ${since}::date
    group by 1, 2`.execute(db)
  return rows
}

/** Selects what else names flags of a project: experiments that run, changes that wait, and invariants. */
const dependantsOf = (project_id: string) => sql<DependantRow>`
    select 'experiment' as kind, flag_key, key from experiments
      where environment_id in (select id from environments where project_id = ${project_id}::uuid) and status <> 'completed'
    union all select 'scheduled_change', flag_key, id::text from scheduled_changes
      where environment_id in (select id from environments where project_id = ${project_id}::uuid) and executed_at is null
    union all select 'change_request', flag_key, id::text from change_requests
      where environment_id in (select id from environments where project_id = ${project_id}::uuid) and status = 'pending'
    union all select 'invariant', named.flag_key, key from invariants
      cross join lateral (values (demand ->> 'flag'), (demand -> 'implies' ->> 'flag')) named (flag_key)
      where project_id = ${project_id}::uuid and named.flag_key is not null`

/** Lists what else names flags of a project. */
export async function listDependants(
  db: Kysely<Database>,
  project_id: string,
): Promise<readonly DependantRow[]> {
  const { rows } = await sql<DependantRow>`${dependantsOf(project_id)} order by 1, 3`.execute(db)
  return rows
}

/**
 * Returns a text that changes whenever flags, environments or dependants of a project do: everything that
 * stale flags depend on, except reported evaluations and the time.
 */
export async function findFingerprint(db: Kysely<Database>, project_id: string): Promise<string> {
  const { rows } = await sql<{ fingerprint: string }>`
    with dependants as (${dependantsOf(project_id)})
    select jsonb_build_array(
      (select jsonb_agg(jsonb_build_array(id, revision, name) order by position)
        from environments where project_id = ${project_id}::uuid),
      (select md5(string_agg(concat_ws(' ', kind, flag_key, key), ',' order by kind, flag_key, key))
        from dependants))::text as fingerprint`.execute(db)
  return rows[0]?.fingerprint ?? ''
}

/** Returns the revision of each environment of a project. */
export async function findRevisions(
  db: Kysely<Database>,
  project_id: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('environments')
    .select(['id', 'revision'])
    .where('project_id', '=', project_id)
    .execute()
  return new Map(rows.map(({ id, revision }) => [id, Number(revision)]))
}

/** Returns whether an environment of the project has the flag, archived or not. */
export async function projectFlagExists(
  db: Kysely<Database>,
  project_id: string,
  key: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from flags join environments on environments.id = flags.environment_id
    where environments.project_id = ${project_id}::uuid and flags.key = ${key} limit 1`.execute(db)
  return rows.length > 0
}
