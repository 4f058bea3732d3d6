import { CLIENTS_MAX, PROPAGATION_REVISIONS_MAX } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { ALL_SDK_CLIENTS, SDK_CLIENT_COLUMNS } from '../ingest/sdk-client-queries.ts'
import type { DueClients, ForeignAck } from './sdk-client.ts'

/** The silence after which a server counts as dead. All times are from the database's clock. */
export const FRESH_SECONDS = 15

/** Stores the reports of this server. Returns the environments whose report was not there. */
export async function storeServers(
  db: Kysely<Database>,
  server_id: string,
  servers: DueClients['servers'],
): Promise<string[]> {
  const { rows } = await sql<{ environment_id: string; is_new: boolean }>`
    insert into sdk_client_servers as known (environment_id, server_id, cannot_tell, reported_at)
    select environment_id, ${server_id}::uuid, unconfirmable, now()
    from unnest(${servers.map((each) => each.environment_id)}::uuid[], ${servers.map((each) => each.unconfirmable)}::int[])
      as given (environment_id, unconfirmable)
    order by environment_id
    on conflict (environment_id, server_id) do update
      set cannot_tell = excluded.cannot_tell, reported_at = excluded.reported_at
    returning environment_id, xmax = 0 as is_new`.execute(db)
  return rows.filter(({ is_new }) => is_new).map(({ environment_id }) => environment_id)
}

/**
 * Stores clients of this server. The row of a client in `sdk_clients` is that of the server that was first;
 * for further servers it has rows in `sdk_client_places`. What any server has stored of its confirmations
 * is kept.
 */
export async function storeClients(
  db: Kysely<Database>,
  server_id: string,
  clients: DueClients['clients'],
): Promise<void> {
  const of = <T>(pick: (each: DueClients['clients'][number]) => T): T[] => clients.map(pick)
  const at = (ms: number) => new Date(ms).toISOString()
  await sql`
    with given as materialized (
      select environment_id, client_id, key_id, app, sdk, instance, ${server_id}::uuid as server_id, transport,
        greatest(revision, (select max(revision) from ${ALL_SDK_CLIENTS} client where ${isSameClient('reported')})) as revision,
        connected_at, seen_at
      from unnest(
        ${of(({ environment_id }) => environment_id)}::uuid[], ${of(({ client }) => client.client_id)}::uuid[],
        ${of(({ client }) => client.key_id)}::int[], ${of(({ client }) => client.app)}::text[],
        ${of(({ client }) => client.sdk)}::text[], ${of(({ client }) => client.instance)}::text[],
        ${of(({ client }) => (client.streams > 0 ? 'stream' : 'poll'))}::text[],
        ${of(({ client }) => client.revision)}::bigint[], ${of(({ client }) => at(client.connectedAt))}::timestamptz[],
        ${of(({ client }) => at(client.seenAt))}::timestamptz[]
      ) as reported (environment_id, client_id, key_id, app, sdk, instance, transport, revision, connected_at, seen_at)
      order by environment_id, client_id
    ), stored as (
      insert into sdk_clients as known (${SDK_CLIENT_COLUMNS}) select ${SDK_CLIENT_COLUMNS} from given
      on conflict (environment_id, client_id) do update set ${REPORTED} where known.server_id = excluded.server_id
      returning environment_id, client_id
    ), moved as (
      delete from sdk_client_places place using stored
      where place.environment_id = stored.environment_id and place.client_id = stored.client_id
        and place.server_id = ${server_id}::uuid
    )
    insert into sdk_client_places as known (${SDK_CLIENT_COLUMNS}) select ${SDK_CLIENT_COLUMNS} from given
    where not exists (
      select from stored where stored.environment_id = given.environment_id and stored.client_id = given.client_id)
    on conflict (environment_id, client_id, server_id) do update set ${REPORTED}`.execute(db)
}

/** The columns that a report changes in a row of its own server. */
const REPORTED = sql.raw(`key_id = excluded.key_id, app = excluded.app, sdk = excluded.sdk,
  instance = excluded.instance, transport = excluded.transport, revision = greatest(known.revision, excluded.revision),
  connected_at = excluded.connected_at, seen_at = greatest(known.seen_at, excluded.seen_at)`)

const isSameClient = (other: 'reported' | 'given') => {
  const { client_id, environment_id, key_id } = {
    environment_id: sql.ref(`${other}.environment_id`),
    client_id: sql.ref(`${other}.client_id`),
    key_id: sql.ref(`${other}.key_id`),
  }
  return sql`client.environment_id = ${environment_id} and client.client_id = ${client_id}
    and client.key_id is not distinct from ${key_id}`
}

const TABLES = [sql.table('sdk_clients'), sql.table('sdk_client_places')]

/** Removes clients whose streams at this server have closed. Their connections to other servers remain. */
export async function removeClients(
  db: Kysely<Database>,
  server_id: string,
  gone: DueClients['gone'],
): Promise<void> {
  for (const table of TABLES) {
    await sql`
      delete from ${table} client using unnest(
        ${gone.map((each) => each.environment_id)}::uuid[], ${gone.map((each) => each.client_id)}::uuid[]
      ) as given (environment_id, client_id)
      where client.environment_id = given.environment_id and client.client_id = given.client_id
        and client.server_id = ${server_id}::uuid`.execute(db)
  }
}

/** Stores how many clients have confirmed revisions to this server. */
export async function storeCounts(
  db: Kysely<Database>,
  server_id: string,
  all: DueClients['counts'],
): Promise<void> {
  const rows = all.map(({ counts, ...row }) => ({ ...row, server_id, counts: [...counts] }))
  await db
    .insertInto('propagation')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'revision', 'server_id'])
        .doUpdateSet((eb) => ({ counts: eb.ref('excluded.counts') })),
    )
    .execute()
}

/** A confirmation of a client of another server, with the time that its change took. */
interface StoredAck {
  readonly environment_id: string
  readonly revision: number
  readonly latency_ms: number
}

/**
 * Stores confirmations that this server received for clients of others. Returns those whose latency is known:
 * of changes that were committed while the client was connected.
 */
export async function storeForeignAcks(
  db: Kysely<Database>,
  acks: readonly ForeignAck[],
): Promise<readonly StoredAck[]> {
  const { rows } = await sql<StoredAck>`
    with given as (
      select * from unnest(
        ${acks.map((ack) => ack.environment_id)}::uuid[], ${acks.map((ack) => ack.client_id)}::uuid[],
        ${acks.map((ack) => ack.key_id)}::int[], ${acks.map((ack) => ack.revision)}::bigint[],
        ${acks.map((ack) => ack.appliedAtMs)}::float8[]
      ) as given (environment_id, client_id, key_id, revision, applied_ms)
    ), confirmed as materialized (
      select given.*, known.connected_at from given
      join environments e on e.id = given.environment_id and given.revision <= e.revision
      cross join lateral (
        select max(client.revision) as revision, max(client.connected_at) as connected_at
        from ${ALL_SDK_CLIENTS} client where ${isSameClient('given')}
      ) known
      where known.revision < given.revision
    ), stored as (
      update sdk_clients client set revision = given.revision, seen_at = now()
      from confirmed given where ${isSameClient('given')} and client.revision < given.revision
    ), stored_elsewhere as (
      update sdk_client_places client set revision = given.revision, seen_at = now()
      from confirmed given where ${isSameClient('given')} and client.revision < given.revision
    )
    select confirmed.environment_id, confirmed.revision,
      greatest(0, applied_ms - extract(epoch from changes.created_at) * 1000)::float8 as latency_ms
    from confirmed join environment_changes changes
      on changes.environment_id = confirmed.environment_id and changes.revision = confirmed.revision
      and changes.kind <> 'none' and changes.created_at >= confirmed.connected_at`.execute(db)
  return rows
}

/** Returns the number of clients of each environment that are connected to other servers only. */
export async function countElsewhere(
  db: Kysely<Database>,
  server_id: string,
  environmentIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ environment_id: string; clients: number }>`
    select environment_id, least(count(*), ${CLIENTS_MAX}::int)::int as clients from (
      select environment_id from ${ALL_SDK_CLIENTS} client
      where environment_id = any(${environmentIds}::uuid[])
      group by environment_id, client_id, key_id having bool_and(server_id <> ${server_id}::uuid)
    ) elsewhere
    group by environment_id`.execute(db)
  return new Map(rows.map(({ clients, environment_id }) => [environment_id, clients]))
}

/** Removes all that this server has stored of its clients. */
export async function removeServer(db: Kysely<Database>, server_id: string): Promise<void> {
  await db.deleteFrom('sdk_clients').where('server_id', '=', server_id).execute()
  await db.deleteFrom('sdk_client_places').where('server_id', '=', server_id).execute()
  await db.deleteFrom('sdk_client_servers').where('server_id', '=', server_id).execute()
}

/**
 * Removes the clients of dead servers, and counts of old revisions. Locked rows are left for the next time.
 */
export async function pruneClients(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from sdk_client_servers where ctid = any(array(
      select ctid from sdk_client_servers
      where reported_at <= now() - make_interval(secs => ${FRESH_SECONDS}::int) for update skip locked))`.execute(
    db,
  )
  for (const table of TABLES) {
    await sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} client where not exists (
          select from sdk_client_servers server
          where server.environment_id = client.environment_id and server.server_id = client.server_id)
        for update skip locked))`.execute(db)
  }
  await sql`
    delete from propagation counted where not exists (
      select from environments e
      where e.id = counted.environment_id and counted.revision > e.revision - ${PROPAGATION_REVISIONS_MAX}::int)`.execute(
    db,
  )
}
