import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/db/tables.ts'

/** The number of pending changes that are summed up at once, so that the sum stays cheap. */
const ADDED_UP_AT = 50

/**
 * Counts bytes that an environment stores without waiting for its writes; they are added to its row later.
 * Returns the total; null when the environment does not exist.
 */
export async function countStoredBytes(
  tx: Transaction<Database>,
  environment_id: string,
  bytes: number,
): Promise<number | null> {
  const { rows } = await sql<{ stored_bytes: number; changes: number }>`
    with counted as (
      insert into stored_bytes_changes (environment_id, bytes)
      select id, ${bytes}::bigint from environments where id = ${environment_id}::uuid
    )
    select stored_bytes + ${bytes}::bigint + coalesce(sum(bytes), 0)::bigint as stored_bytes, count(bytes)::int as changes
    from environments left join stored_bytes_changes on environment_id = environments.id
    where environments.id = ${environment_id}::uuid
    group by environments.id
  `.execute(tx)
  const [counted] = rows
  if (counted && counted.changes >= ADDED_UP_AT) await addUp(tx, environment_id, sql`skip locked`)
  return counted?.stored_bytes ?? null
}

/** Adds all pending changes to the rows of their environments. */
export async function addUpStoredBytes(db: Kysely<Database>): Promise<void> {
  const found = await db.selectFrom('stored_bytes_changes').select('environment_id').distinct().execute()
  for (const { environment_id } of found) await addUp(db, environment_id, sql``)
}

/**
 * Adds pending changes to one environment, which is locked first, as every write does. `skip locked` leaves a
 * locked one for later.
 */
async function addUp(
  db: Kysely<Database>,
  environment_id: string,
  whereLocked: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    with locked as (
      select id from environments where id = ${environment_id}::uuid for no key update ${whereLocked}
    ), gone as (
      delete from stored_bytes_changes where environment_id in (select id from locked) returning bytes
    )
    update environments set stored_bytes = greatest(0, stored_bytes + (select coalesce(sum(bytes), 0) from gone)::bigint)
    where id in (select id from locked)
  `.execute(db)
}
