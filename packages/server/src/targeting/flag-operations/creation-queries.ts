import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/**
 * Returns whether an active flag of the environment names the key as its prerequisite, or the environment had
 * a flag with this key, by its audit log. Entries about requests that changed no flag do not count: those
 * have no approval, or approvals of which more are needed.
 */
export async function isNamedOrExisted(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from flags
    where environment_id = ${environment_id}::uuid and archived_at is null
      and ${hasPrerequisite(sql`prerequisites`, key)}
    union all
    select from audit_log
    where environment_id = ${environment_id}::uuid and flag_key = ${key} and flag_key <> ''
      and action not in ('change_request.open', 'change_request.reject', 'change_request.cancel')
      and not (action = 'change_request.approve' and metadata -> 'approvals' is not null)
    limit 1`.execute(db)
  return rows.length > 0
}

/** Tests a JSON value that may be a list of prerequisites. */
export const hasPrerequisite = (prerequisites: RawBuilder<unknown>, key: string) => sql`
  json_typeof(${prerequisites}) = 'array' and exists (
    select from json_array_elements(
      case json_typeof(${prerequisites}) when 'array' then ${prerequisites} else '[]'::json end) prerequisite
    where prerequisite ->> 'flag_key' = ${key})`
