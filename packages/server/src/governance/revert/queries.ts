import { type Kysely, sql } from 'kysely'
import { wholeText } from '../../changes/index.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Fields } from './undo-fields.ts'

/** An entry of the audit log with the states before and after. */
export interface RevertedEntry {
  readonly id: number
  readonly flag_key: string
  readonly resource: string | null
  /** For a renamed segment, the flags that named its new key before. */
  readonly named_before: readonly string[] | null
  readonly before: Fields
  readonly after: Fields
}

/** Returns the number of bytes of the states of entries. */
export async function countEntryBytes(
  db: Kysely<Database>,
  environment_id: string,
  ids: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(coalesce(before_size, octet_length(before_data::text), 0)
      + coalesce(after_size, octet_length(after_data::text), 0)), 0)::bigint as bytes
    from audit_log where environment_id = ${environment_id}::uuid and id = any(${ids}::bigint[])
  `.execute(db)
  return rows[0]?.bytes ?? 0
}

const state = (name: 'before' | 'after') =>
  wholeText({
    json: `${name}_data`,
    chunks: `${name}_chunks`,
    month: 'month',
    environment_id: 'environment_id',
  })

/** Returns entries of an environment, the newest first. */
export async function findEntries(
  db: Kysely<Database>,
  environment_id: string,
  ids: readonly number[],
): Promise<readonly RevertedEntry[]> {
  const { rows } = await sql<RevertedEntry>`
    select id, flag_key, metadata ->> 'resource' as resource, metadata -> 'named_before' as named_before,
      ${state('before')}::json as before, ${state('after')}::json as after
    from audit_log where environment_id = ${environment_id}::uuid and id = any(${ids}::bigint[])
    order by id desc
  `.execute(db)
  return rows
}

/** The author of the latest entry of a flag or segment. */
export interface LatestEntry {
  readonly audit_id: number
  readonly actor_email: string
  readonly at: string
}

/** Returns the latest entry after another one that names a flag, or a segment. */
export async function findLatestEntry(
  db: Kysely<Database>,
  environment_id: string,
  { afterId, flag_key, resource }: { afterId: number; flag_key: string; resource: string | null },
): Promise<LatestEntry | null> {
  const isOfIt =
    flag_key === ''
      ? sql`metadata ->> 'resource' = ${resource}`
      : sql`flag_key = ${flag_key} and flag_key <> ''`
  const { rows } = await sql<LatestEntry>`
    select id as audit_id, actor_email, created_at as at from audit_log
    where environment_id = ${environment_id}::uuid and id > ${afterId}::bigint and ${isOfIt}
    order by id desc limit 1
  `.execute(db)
  return rows[0] ?? null
}
