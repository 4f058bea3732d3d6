import { CLIENTS_MAX, type ClientState, PROPAGATION_REVISIONS_MAX } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { ALL_SDK_CLIENTS } from '../ingest/sdk-client-queries.ts'
import { FRESH_SECONDS } from './queries.ts'
import { SILENT_AFTER_MS, spreadOf } from './spread.ts'

/** The facts that decide the states of clients at a revision. */
export interface Moment {
  readonly environment_id: string
  readonly revision: number
  readonly committed_at: string | null
  /** The newest change that SDKs see, up to the revision; 0 without one. */
  readonly visible: number
  /** The newest one that every client had time to confirm. */
  readonly overdue: number
  /** Streams that are older than this had that time. */
  readonly overdue_at: string
  readonly as_of: string
  readonly total: number
  readonly unconfirmable: number
}

/** Reads what decides the states of the clients of an environment; null for a revision that is not kept. */
export async function findMoment(
  db: Kysely<Database>,
  environment_id: string,
  wanted: number | undefined,
): Promise<Moment | null> {
  const env = sql`${environment_id}::uuid`
  const { rows: totals } = await sql<{ total: number; unconfirmable: number; current: number }>`
    select revision as current,
      (select count(*)::int from ${connectedClients(env)} client) as total,
      (select coalesce(sum(cannot_tell), 0)::int from sdk_client_servers server
       where environment_id = ${env} and ${isFresh}) as unconfirmable
    from environments where id = ${env}`.execute(db)
  const [found] = totals
  if (!found) return null
  const { unconfirmable, current, total } = found
  const revision = wanted ?? current
  if (revision > current || revision <= current - PROPAGATION_REVISIONS_MAX) return null
  const graceMs = spreadOf(total) + SILENT_AFTER_MS
  const { rows } = await sql<Omit<Moment, 'environment_id' | 'revision' | 'total' | 'unconfirmable'>>`
    with clock as (select now() as as_of, now() - ${graceMs}::int * interval '1 millisecond' as overdue_at)
    select as_of, overdue_at, (select created_at from ${changesTo(env, revision, sql`revision = ${revision}`)}) as committed_at,
      coalesce((select max(revision) from ${changesTo(env, revision, isVisible)}), 0)::int8 as visible,
      coalesce((select max(revision) from ${changesTo(env, revision, sql`${isVisible} and created_at <= overdue_at`)}), 0)::int8
        as overdue
    from clock`.execute(db)
  const [times] = rows
  return times ? { environment_id, revision, total, unconfirmable, ...times } : null
}

const isFresh = sql`server.reported_at > now() - make_interval(secs => ${FRESH_SECONDS}::int)`

const isConnected = (
  environment_id: RawBuilder<unknown>,
) => sql`client.environment_id = ${environment_id} and exists (
  select from sdk_client_servers server
  where server.environment_id = client.environment_id and server.server_id = client.server_id and ${isFresh})`

/**
 * The connected clients, each once: the newest revision and connection of those to all servers. A stream to
 * one server counts more than a poll of another.
 */
const connectedClients = (environment_id: RawBuilder<unknown>) => sql`(
  select client_id, max(revision) as revision, max(connected_at) as connected_at,
    case when bool_or(transport = 'stream') then 'stream' else 'poll' end as transport
  from ${ALL_SDK_CLIENTS} client where ${isConnected(environment_id)} group by client_id, key_id)`

/** The same clients as rows of a list, with the server of the newest connection. */
const describedClients = (environment_id: RawBuilder<unknown>) => sql`(
  select distinct on (client_id, key_id) environment_id, client_id, app, sdk, instance, server_id, connected_at,
    max(revision) over own as revision, max(seen_at) over own as seen_at,
    case when bool_or(transport = 'stream') over own then 'stream' else 'poll' end as transport
  from ${ALL_SDK_CLIENTS} client where ${isConnected(environment_id)}
  window own as (partition by client_id, key_id)
  order by client_id, key_id, connected_at desc, server_id)`

const isVisible = sql`kind <> 'none'`

const changesTo = (env: RawBuilder<unknown>, revision: number, condition: RawBuilder<unknown>) =>
  sql`environment_changes where environment_id = ${env} and revision <= ${revision}::bigint and ${condition}`

/** A client as a list shows it. */
export interface ListedClient {
  readonly client_id: string
  readonly app: string
  readonly sdk: string
  readonly instance: string
  readonly server_id: string
  readonly transport: 'stream' | 'poll'
  readonly revision: number | null
  readonly state: ClientState
  readonly connected_at: string
  readonly seen_at: string
}

const stateOf = ({ overdue, overdue_at, visible }: Moment) => sql<ClientState>`case
  when client.revision >= ${visible}::bigint then 'current'
  when client.transport = 'stream' and client.revision < ${overdue}::bigint
    and client.connected_at <= ${overdue_at}::timestamptz then 'silent'
  else 'behind' end`

/** Counts the clients in each state. */
export async function countStates(
  db: Kysely<Database>,
  moment: Moment,
): Promise<Readonly<Record<ClientState, number>>> {
  const { rows } = await sql<{ state: ClientState; clients: number }>`
    select ${stateOf(moment)} as state, count(*)::int as clients from ${connectedClients(sql`${moment.environment_id}::uuid`)} client
    group by 1`.execute(db)
  const of = (wanted: ClientState) => rows.find(({ state }) => state === wanted)?.clients ?? 0
  return { current: of('current'), behind: of('behind'), silent: of('silent') }
}

/** A client that has not confirmed, and for how long. */
export type WaitingClient = Pick<
  ListedClient,
  'client_id' | 'app' | 'sdk' | 'instance' | 'server_id' | 'revision'
> & { readonly silent_ms: number }

/** Reads clients that are not current, those first that are furthest behind. */
export async function findWaiting(
  db: Kysely<Database>,
  moment: Moment,
  limit: number,
): Promise<readonly WaitingClient[]> {
  const { rows } = await sql<WaitingClient>`
    select client_id, app, sdk, instance, server_id, nullif(client.revision, -1) as revision,
      round(extract(epoch from ${moment.as_of}::timestamptz - greatest(connected_at, missed.created_at)) * 1000)::int8
        as silent_ms
    from (
      select * from ${describedClients(sql`${moment.environment_id}::uuid`)} client
      where client.revision < ${moment.visible}::bigint
      order by client.revision, app, instance, client_id limit ${limit}::int
    ) client
    left join lateral (
      select created_at from environment_changes
      where environment_id = client.environment_id and revision > client.revision and kind <> 'none'
      order by environment_changes.revision limit 1
    ) missed on true
    order by client.revision, app, instance, client_id`.execute(db)
  return rows.map((row) => ({ ...row, silent_ms: Math.max(0, row.silent_ms) }))
}

/** Reads how many clients have confirmed a revision within each step, for each server. */
export async function findCounts(
  db: Kysely<Database>,
  environment_id: string,
  revision: number,
): Promise<readonly (readonly number[])[]> {
  const rows = await db
    .selectFrom('propagation')
    .select('counts')
    .where('environment_id', '=', environment_id)
    .where('revision', '=', revision)
    .limit(1000)
    .execute()
  return rows.map(({ counts }) => counts)
}

interface ClientFilter {
  readonly app?: string | undefined
  readonly state?: ClientState | undefined
  readonly limit: number
  readonly offset: number
}

/** Reads a page of the clients of an environment, and how many there are. */
export async function findClients(
  db: Kysely<Database>,
  moment: Moment,
  { app, limit, offset, state }: ClientFilter,
): Promise<{ readonly total: number; readonly items: readonly ListedClient[] }> {
  const { rows } = await sql<ListedClient & { total: number }>`
    with listed as materialized (
      select client_id, app, sdk, instance, server_id, transport, nullif(revision, -1) as revision,
        ${stateOf(moment)} as state, connected_at, seen_at
      from ${describedClients(sql`${moment.environment_id}::uuid`)} client
      where ${app ?? null}::text is null or app = ${app ?? null}::text
      limit ${CLIENTS_MAX}::int
    ), wanted as (
      select * from listed where ${state ?? null}::text is null or state = ${state ?? null}::text
    )
    select *, (select count(*)::int from wanted) as total from wanted
    order by array_position(array['silent', 'behind', 'current'], state), app, instance, client_id
    limit ${limit}::int offset ${offset}::int`.execute(db)
  return { total: rows[0]?.total ?? 0, items: rows.map(({ total: _, ...item }) => item) }
}
