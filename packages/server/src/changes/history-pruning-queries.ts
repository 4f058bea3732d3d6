import { type Kysely, sql } from 'kysely'
import type { WireFlag } from '../kernel/wire-flag.ts'
import type { Database } from '../platform/db/tables.ts'

/**
 * Removes changes from before a time, at most `limit` in a call, and returns their number. A change stays
 * until a later one from before that time replaces it, so every flag keeps its state of that time.
 */
export async function pruneHistory(db: Kysely<Database>, before: string, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from environment_changes where ctid = any(array(
        select old.ctid from environment_changes old
        where old.created_at < ${before}::timestamptz and exists (
          select from environment_changes later
          where later.environment_id = old.environment_id and later.revision > old.revision
            and later.created_at < ${before}::timestamptz
            and (old.kind = 'none' or later.flag_key = old.flag_key and later.kind <> 'none'
              -- Without an earlier state, a deleted flag is the same as none.
              or old.kind = 'delete' and not exists (
                select from environment_changes earlier
                where earlier.environment_id = old.environment_id and earlier.flag_key = old.flag_key
                  and earlier.revision < old.revision))
        ) limit ${limit}::int))
      returning environment_id, bytes
    ), counted as (
      insert into stored_bytes_changes (environment_id, bytes)
      select environment_id, -sum(bytes) from removed group by 1 having sum(bytes) > 0
    )
    select count(*)::int as removed from removed
  `.execute(db)
  return rows[0]?.removed ?? 0
}

/** Stores flags whole whose chunks are of a month before the day, at most `limit` in a call. */
export async function joinOldChunks(db: Kysely<Database>, beforeDay: string, limit: number): Promise<number> {
  const { rows } = await sql<{ joined: number }>`
    with joined as (
      update environment_changes
      set flag = chunked_text(chunk_month, environment_id, flag_chunks)::json, flag_chunks = null, chunk_month = null,
        bytes = bytes + flag_size
      where ctid = any(array(
        select ctid from environment_changes
        where chunk_month < ${beforeDay}::date and chunked_text(chunk_month, environment_id, flag_chunks) is not null
        limit ${limit}::int))
      returning environment_id, flag_size
    ), counted as (
      insert into stored_bytes_changes (environment_id, bytes) select environment_id, sum(flag_size) from joined group by 1
    )
    select count(*)::int as joined from joined
  `.execute(db)
  return rows[0]?.joined ?? 0
}

/** Returns the environments whose flags are not in the history yet, after an upgrade. */
export async function listWithoutHistory(db: Kysely<Database>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('environments')
    .select('id')
    .where('history_since', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The flags that are stored in one statement. */
const STORED_AT_ONCE = 200

/**
 * Begins the history of an environment with its flags at their revision. False when the environment has
 * another revision by now.
 */
export async function beginHistory(
  db: Kysely<Database>,
  {
    environment_id,
    flags,
    revision,
  }: { environment_id: string; revision: number; flags: readonly WireFlag[] },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ since: string }>`
      select greatest(now(), (select max(created_at) from environment_changes where environment_id = environments.id)) as since
      from environments where id = ${environment_id}::uuid and revision = ${revision}::bigint for no key update
    `.execute(tx)
    const since = rows[0]?.since
    if (since === undefined) return false
    for (let at = 0; at < flags.length; at += STORED_AT_ONCE) {
      const part = flags.slice(at, at + STORED_AT_ONCE).map(({ origins, ...flag }) => ({ flag, origins }))
      await sql`
        insert into environment_changes (environment_id, revision, kind, flag_key, flag, flag_size, origins, created_at)
        select ${environment_id}::uuid, ${revision}::bigint, 'upsert', flag ->> 'key', flag, octet_length(flag::text), origins,
          ${since}::timestamptz
        from json_to_recordset(${JSON.stringify(part)}::json) as one(flag json, origins json)
        on conflict (environment_id, revision, flag_key) do nothing
      `.execute(tx)
    }
    await sql`
      update environments set history_since = ${since}::timestamptz where id = ${environment_id}::uuid
    `.execute(tx)
    return true
  })
}
