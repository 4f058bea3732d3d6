import type { Connections } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
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

/** Removes the rows of dead instances. Locked rows are left for the next time. */
export async function pruneStreamCounts(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from stream_counts where ctid = any(array(
      select ctid from stream_counts
      where reported_at <= now() - make_interval(secs => ${FRESH_SECONDS}::int)
      for update skip locked))
  `.execute(db)
}

/** Removes the counts of an instance that stops. */
export async function removeStreamCounts(db: Kysely<Database>, instance_id: string): Promise<void> {
  await db.deleteFrom('stream_counts').where('instance_id', '=', instance_id).execute()
}
