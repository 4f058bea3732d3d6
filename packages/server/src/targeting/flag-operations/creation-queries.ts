import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/**
 * Returns whether an active flag of the environment names the key as its prerequisite, or a pending change
 * would: a reviewer approves the effect of a change, for which the flag did not exist.
 */
export async function isNamedAsPrerequisite(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<boolean> {
  const names = (prerequisites: RawBuilder<unknown>) => sql`
    json_typeof(${prerequisites}) = 'array' and exists (
      select from json_array_elements(
        case json_typeof(${prerequisites}) when 'array' then ${prerequisites} else '[]'::json end) prerequisite
      where prerequisite ->> 'flag_key' = ${key})`
  const { rows } = await sql`
    select from flags
    where environment_id = ${environment_id}::uuid and archived_at is null and ${names(sql`prerequisites`)}
    union all
    select from scheduled_changes
    where environment_id = ${environment_id}::uuid and executed_at is null
      and ${names(sql`(patch -> 'prerequisites')`)}
    union all
    select from change_requests
    where environment_id = ${environment_id}::uuid and status = 'pending'
      and ${names(sql`coalesce(body -> 'patch' -> 'prerequisites', body -> 'flag' -> 'prerequisites')`)}
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Returns whether the environment had a flag with this key, by its audit log. Entries about requests that
 * changed no flag do not count: those have no approval, or approvals of which more are needed.
 */
export async function existedBefore(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from audit_log
    where environment_id = ${environment_id}::uuid and flag_key = ${key} and flag_key <> ''
      and action not in ('change_request.open', 'change_request.reject', 'change_request.cancel')
      and not (action = 'change_request.approve' and metadata -> 'approvals' is not null)
    limit 1`.execute(db)
  return rows.length > 0
}
