import { DOMAIN_EVENTS } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { wholeText } from '../../changes/index.ts'
import type { DomainEventPayload, DomainEventRecord } from '../../kernel/domain-event-payload.ts'
import { ADVISORY_LOCKS } from '../../platform/db/advisory-locks.ts'
import type { Database } from '../../platform/db/tables.ts'

/**
 * Events that one fan-out reads, of each environment and together. Environments take turns, so that the
 * backlog of one delays none of the others, however long it is.
 */
const SCANNED_PER_ENVIRONMENT = 100
const SCANNED_MAX = 2_000

/**
 * Creates a job for each event and each enabled receiver of its environment that listens to it, and marks the
 * events, in one transaction. `limit` is for all environments together, but each with pending events gets at
 * least one. Events without receivers are marked in addition. Does nothing while another instance runs it.
 */
export async function fanOutEvents(
  db: Kysely<Database>,
  { limit }: { readonly limit: number },
): Promise<FanOut> {
  return db.transaction().execute(async (tx) => {
    // One instance at a time, so that jobs are numbered in the order of their events.
    const { rows } = await sql<{ is_ours: boolean }>`
      select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.fanOut}::bigint) as is_ours
      where exists (select from domain_events where fanned_out_at is null)
    `.execute(tx)
    if (!rows[0]?.is_ours) return { events: 0, is_behind: false }
    const { rows: counts } = await sql<FanOut>`
      with recursive pending as (
        (select environment_id from domain_events where fanned_out_at is null order by environment_id limit 1)
        union all
        select (select environment_id from domain_events
          where fanned_out_at is null and environment_id > p.environment_id order by environment_id limit 1)
        from pending p where p.environment_id is not null
      ), oldest as materialized (
        select first.* from pending p cross join lateral (
          select id, environment_id, type, created_at, row_number() over (order by id) as nth from domain_events
          where fanned_out_at is null and environment_id = p.environment_id
          order by id limit ${SCANNED_PER_ENVIRONMENT}::int
        ) first
        where p.environment_id is not null order by first.nth, first.id limit ${SCANNED_MAX}::int
      ), with_receivers as materialized (
        select o.*, row_number() over (partition by environment_id order by id) as turn from oldest o
        where environment_id in (
          select environment_id from webhooks where enabled
          union all select environment_id from integrations where enabled)
      ), waiting as materialized (
        select id, environment_id, type, created_at from with_receivers order by turn, id
        limit greatest(${limit}::int, (select count(*) from with_receivers where turn = 1))
      ), marked as (
        update domain_events set fanned_out_at = clock_timestamp()
        where id in (
          select id from waiting
          union all select id from oldest where id not in (select id from with_receivers))
      ), receivers as (
        select id as webhook_id, null::uuid as integration_id, id, environment_id, after_event_id, '[]'::json as events
        from webhooks where enabled
        union all
        select null, id, id, environment_id, after_event_id, events from integrations where enabled
      ), queued as (
        insert into delivery_jobs (webhook_id, integration_id, event_id, message_id, run_at)
        select r.webhook_id, r.integration_id, e.id,
          'evt_' || e.id || '_' || left(md5(r.id || ' ' || e.created_at), 12), clock_timestamp()
        from waiting e
        join receivers r on r.environment_id = e.environment_id and e.id > r.after_event_id
          and (json_array_length(r.events) = 0 or e.type in (select json_array_elements_text(r.events)))
        order by e.id, r.id
      )
      select (select count(*)::int from waiting) as events,
        (select count(*) from with_receivers) > (select count(*) from waiting)
          or (select count(*) from oldest) = ${SCANNED_MAX}::int
          or exists (select from oldest where nth = ${SCANNED_PER_ENVIRONMENT}::int) as is_behind
    `.execute(tx)
    return counts[0] ?? { events: 0, is_behind: false }
  })
}

export interface FanOut {
  /** The number of events that have jobs now. */
  readonly events: number
  /** True when more events are waiting. */
  readonly is_behind: boolean
}

/**
 * Returns the newest event of the environment that waits to be fanned out: a receiver that is created now
 * gets only later ones.
 */
export async function newestWaitingEvent(tx: Transaction<Database>, environment_id: string): Promise<number> {
  const row = await tx
    .selectFrom('domain_events')
    .select('id')
    .where('fanned_out_at', 'is', null)
    .where('environment_id', '=', environment_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

const DATA = wholeText({
  json: 'e.data',
  chunks: 'e.data_chunks',
  month: 'e.chunk_month',
  environment_id: 'e.environment_id',
})

/** Returns events by id: the oldest ones, up to `maxBytes` of JSON together, or a single larger one. */
export async function readOccurrences(
  db: Kysely<Database>,
  eventIds: readonly number[],
  maxBytes: number,
): Promise<Map<number, DomainEventRecord>> {
  if (eventIds.length === 0) return new Map()
  const sized = db
    .selectFrom('domain_events')
    .select('id')
    .select(sql<number>`sum(coalesce(data_size, octet_length(data::text))) over (order by id)`.as('bytes'))
    .select(sql<number>`row_number() over (order by id)`.as('nth'))
    .where('id', '=', sql<number>`any(${eventIds}::bigint[])`)
  const rows = await db
    .selectFrom('domain_events as e')
    .innerJoin(sized.as('sized'), 'sized.id', 'e.id')
    .select(['e.id', 'e.type', 'e.created_at'])
    .select(sql<object | null>`${DATA}::json`.as('data'))
    .select('e.audit')
    .where((eb) => eb.or([eb('sized.bytes', '<=', maxBytes), eb('sized.nth', '=', 1)]))
    .execute()
  const occurrences = new Map<number, DomainEventRecord>()
  for (const { audit, created_at, data, id, type } of rows) {
    const name = DOMAIN_EVENTS.find((event) => event === type)
    // `changes` has stored the events in this form.
    const event = { ...(data as DomainEventPayload), ...(audit && { audit }) }
    if (name) occurrences.set(id, { type: name, occurred_at: created_at, event })
  }
  return occurrences
}

/**
 * Removes events that were delivered long ago and have no jobs, at most `limit` in a call. Returns their
 * number.
 */
export async function pruneEvents(db: Kysely<Database>, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from domain_events where id = any(array(
      select id from domain_events e
      where created_at < ${before}::timestamptz and fanned_out_at is not null
        and not exists (select from delivery_jobs j where j.event_id = e.id)
      limit ${limit}::int))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Counts events that wait for their fan-out, up to `limit`. */
export async function countWaitingEvents(db: Kysely<Database>, limit: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from domain_events where fanned_out_at is null limit ${limit}::int
    ) as some_events
  `.execute(db)
  return rows[0]?.waiting ?? 0
}
