import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Returns the revisions of flags or segments by key. */
export async function findRevisions(
  db: Kysely<Database>,
  environment_id: string,
  { keys, table }: { readonly table: 'flags' | 'segments'; readonly keys: readonly string[] },
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .select(['key', 'revision'])
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ key, revision }) => [key, revision]))
}

/** Returns the request of the same caller for the same change that waits for approval; null without one. */
export async function findWaitingRequest(
  db: Kysely<Database>,
  environment_id: string,
  { flag_key, operation, requester }: WaitingRequest,
): Promise<number | null> {
  const row = await db
    .selectFrom('change_requests')
    .select('id')
    .where('environment_id', '=', environment_id)
    .where('status', '=', 'pending')
    .where('flag_key', '=', flag_key)
    .where('requester', '=', requester)
    .where('scheduled_at', 'is', null)
    .where(sql<boolean>`body::jsonb = ${JSON.stringify(operation)}::jsonb`)
    .orderBy('id')
    .executeTakeFirst()
  return row?.id ?? null
}

interface WaitingRequest {
  readonly flag_key: string
  readonly operation: object
  /** The identity of the caller. */
  readonly requester: string
}
