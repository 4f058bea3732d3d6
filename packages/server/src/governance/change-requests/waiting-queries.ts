import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { hasPrerequisite } from '../../targeting/flag-operations/index.ts'

/** Returns whether a scheduled change or a request of the environment would name a flag as a prerequisite. */
export async function isNamedByWaiting(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from scheduled_changes
    where environment_id = ${environment_id}::uuid and executed_at is null
      and ${hasPrerequisite(sql`(patch -> 'prerequisites')`, key)}
    union all
    select from change_requests
    where environment_id = ${environment_id}::uuid and status = 'pending'
      and ${hasPrerequisite(sql`coalesce(body -> 'patch' -> 'prerequisites', body -> 'flag' -> 'prerequisites')`, key)}
    limit 1`.execute(db)
  return rows.length > 0
}
