import type { Connections } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { KeyStreamCount } from './key-stream-counts.ts'
import type { StreamCount } from './stream-counts.ts'

/** The silence after which an instance counts as dead. Both times are from the database's clock. */
const FRESH_SECONDS = 15

/**
 * Stores the number of an instance's streams for each environment, and the time of the latest connection.
 * Environments that do not exist are left out, and pending deletions awaited. Rows are in the order of ids,
 * so that two instances cannot deadlock.
 */
export async function storeStreamCounts(
  db: Kysely<Database>,
  { counts, instance_id }: { readonly instance_id: string; readonly counts: readonly StreamCount[] },
): Promise<void> {
  await sql`
    with counts as materialized (
      select e.id, c.streams, c.connected_at
      from environments e
      join json_to_recordset(${JSON.stringify(counts)}::json)
        as c(environment_id uuid, streams int, connected_at timestamptz) on c.environment_id = e.id
      order by e.id
      for key share of e
    ), connected as (
      insert into environment_connections as known (environment_id, last_connected_at)
      select id, connected_at from counts where connected_at is not null order by id
      on conflict (environment_id) do update
        set last_connected_at = greatest(known.last_connected_at, excluded.last_connected_at)
    )
    insert into stream_counts (instance_id, environment_id, streams, reported_at)
    select ${instance_id}::uuid, id, streams, now() from counts order by id
    on conflict (instance_id, environment_id) do update
      set streams = excluded.streams, reported_at = excluded.reported_at
  `.execute(db)
}

/**
 * Returns the number of the other instances' streams of the environment, and the time of the latest
 * connection.
 */
export async function findReported(
  db: Kysely<Database>,
  { environment_id, instance_id }: { readonly environment_id: string; readonly instance_id: string },
): Promise<Connections> {
  const { rows } = await sql<Connections>`
    select
      (select coalesce(sum(streams), 0)::int from stream_counts
       where environment_id = ${environment_id}::uuid and instance_id <> ${instance_id}::uuid
         and reported_at > now() - make_interval(secs => ${FRESH_SECONDS}::int)) as streams,
      (select last_connected_at from environment_connections
       where environment_id = ${environment_id}::uuid) as last_connected_at
  `.execute(db)
  return rows[0] ?? { streams: 0, last_connected_at: null }
}

/**
 * Stores the number of an instance's streams for each key. Revoked keys are left out, and pending revocations
 * awaited.
 */
export async function storeKeyStreamCounts(
  db: Kysely<Database>,
  { counts, instance_id }: { readonly instance_id: string; readonly counts: readonly KeyStreamCount[] },
): Promise<void> {
  await sql`
    with counts as materialized (
      select k.id, c.streams
      from sdk_keys k
      join json_to_recordset(${JSON.stringify(counts)}::json) as c(key_id int, streams int) on c.key_id = k.id
      order by k.id
      for key share of k
    )
    insert into key_stream_counts (instance_id, key_id, streams, reported_at)
    select ${instance_id}::uuid, id, streams, now() from counts order by id
    on conflict (instance_id, key_id) do update
      set streams = excluded.streams, reported_at = excluded.reported_at
  `.execute(db)
}

/** Returns the number of the other instances' streams by key. */
export async function findReportedByKey(
  db: Kysely<Database>,
  { instance_id, keyIds }: { readonly instance_id: string; readonly keyIds: readonly number[] },
): Promise<Map<number, number>> {
  const { rows } = await sql<KeyStreamCount>`
    select key_id, sum(streams)::int as streams from key_stream_counts
    where key_id = any(${keyIds}::int[]) and instance_id <> ${instance_id}::uuid
      and reported_at > now() - make_interval(secs => ${FRESH_SECONDS}::int)
    group by key_id
  `.execute(db)
  return new Map(rows.map(({ key_id, streams }) => [key_id, streams]))
}

const COUNT_TABLES = ['stream_counts', 'key_stream_counts'] as const

/** Removes the rows of dead instances. Locked rows are left for the next time. */
export async function pruneStreamCounts(db: Kysely<Database>): Promise<void> {
  for (const table of COUNT_TABLES) {
    await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)}
        where reported_at <= now() - make_interval(secs => ${FRESH_SECONDS}::int)
        for update skip locked))
    `.execute(db)
  }
}

/** Removes the counts of an instance that stops. */
export async function removeStreamCounts(db: Kysely<Database>, instance_id: string): Promise<void> {
  for (const table of COUNT_TABLES) {
    await db.deleteFrom(table).where('instance_id', '=', instance_id).execute()
  }
}
