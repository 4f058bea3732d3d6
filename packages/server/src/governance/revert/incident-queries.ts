import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { Fields } from './undo-fields.ts'

interface IncidentPlace {
  readonly project_id: string
  readonly environmentIds: readonly string[] | 'all'
}

/** The writes that are listed. */
export interface IncidentFilter {
  /** A project, with all its environments or these, or null for all of the workspace. */
  readonly place: IncidentPlace | null
  /** The times, ISO 8601 in UTC; both are inclusive. */
  readonly from: string
  readonly to: string
  readonly limit: number
}

/** A write, with its states where they are small. */
export interface IncidentRow {
  readonly audit_id: number
  readonly at: string
  readonly project_id: string
  readonly environment_id: string
  readonly flag_key: string
  readonly actor_email: string
  readonly action: string
  readonly metadata: {
    readonly origin?: string
    readonly resource?: string
    readonly comment?: string
  } | null
  readonly before: Fields
  readonly after: Fields
  readonly is_large: boolean
  readonly revisions: readonly number[]
  readonly flag_keys: readonly string[]
  readonly undone_by: number | null
}

/** The actions that change flags and segments. */
const ACTIONS = ['create', 'update', 'delete', 'promote', 'archive', 'unarchive', 'restore']
/** The bytes of states that are compared, and the changes and undos that are listed. */
const COMPARED_MAX_BYTES = 16 * 1024
const CHANGES_MAX = 100
const UNDOS_MAX = 1_000

/** Returns the writes of flags and segments in a window, the newest first. */
export async function findIncident(
  db: Kysely<Database>,
  filter: IncidentFilter,
): Promise<readonly IncidentRow[]> {
  return (await incidentRows(filter).execute(db)).rows
}

/** Returns the query of the writes in a window. */
export function incidentRows({ from, limit, place, to }: IncidentFilter): RawBuilder<IncidentRow> {
  const isThere = isIn(place)
  return sql<IncidentRow>`
    with entries as materialized (
      select id, created_at, project_id, environment_id, flag_key, actor_email, action, metadata, before_data, after_data,
        before_chunks is not null or after_chunks is not null
          or coalesce(octet_length(before_data::text), 0) + coalesce(octet_length(after_data::text), 0) > ${COMPARED_MAX_BYTES}::int
          as is_large
      from audit_log
      where ${isThere} and action = any(${ACTIONS}::text[])
        and created_at between ${from}::timestamptz and ${to}::timestamptz
        and (flag_key <> '' or starts_with(metadata ->> 'resource', 'segment:'))
        and exists (select from environments where environments.id = audit_log.environment_id)
      order by id desc limit ${limit}::int
    ), undos as materialized (
      select id, json_array_elements_text(metadata -> 'reverts')::bigint as undone from (
        select id, metadata from audit_log
        where ${isThere} and action = 'restore' and metadata ->> 'origin' = 'revert' and id > (select min(id) from entries)
        order by id desc limit ${UNDOS_MAX}::int
      ) recent
    )
    select id as audit_id, created_at as at, project_id, environment_id, flag_key, actor_email, action, metadata, is_large,
      case when not is_large then before_data end as before, case when not is_large then after_data end as after,
      coalesce(sent.revisions, '{}') as revisions, coalesce(sent.flag_keys, '{}') as flag_keys,
      (select max(undos.id) from undos where undos.undone = entries.id) as undone_by
    from entries left join lateral (
      select array_agg(revision::float8 order by revision) as revisions, array_agg(distinct change.flag_key) as flag_keys from (
        select revision, flag_key from environment_changes
        where audit_id = entries.id and (entries.flag_key in ('', environment_changes.flag_key))
        order by revision limit ${CHANGES_MAX}::int
      ) change
    ) sent on true
    order by id desc
  `
}

/**
 * The condition of a place, without what follows from the rest: PostgreSQL takes a project and its
 * environments for independent, expects few rows, and would sort all of a long window.
 */
function isIn(place: IncidentPlace | null): RawBuilder<boolean> {
  if (place === null) return sql`environment_id is not null`
  const { environmentIds, project_id } = place
  if (environmentIds === 'all') return sql`project_id = ${project_id}::uuid and environment_id is not null`
  const [only, ...others] = environmentIds
  if (only !== undefined && others.length === 0) return sql`environment_id = ${only}::uuid`
  return sql`project_id = ${project_id}::uuid and environment_id = any(${environmentIds}::uuid[])`
}
