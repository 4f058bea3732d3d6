import { DOMAIN_EVENTS } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Occurrence, ToldEvent } from '../../../kernel/told-event.ts'
import type { Database } from '../../../platform/db/tables.ts'

/** Fans out on one instance at a time, so that jobs are numbered in the order of their events. */
const FAN_OUT_LOCK = 7_362_100

/** Of a long backlog. Environments take turns among these, so that a busy one does not keep the others waiting. */
const LOOKED_AT = 2_000

/**
 * Makes a job of each event for each receiver of its environment that is enabled and listens to it, and marks the events, in
 * one transaction. Gives how many events; 0 also while another instance is at it.
 */
export async function fanOutEvents(
  db: Kysely<Database>,
  { limit, now }: { readonly limit: number; readonly now: string },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ is_ours: boolean }>`
      select pg_try_advisory_xact_lock(${FAN_OUT_LOCK}::bigint) as is_ours
      where exists (select from domain_events where fanned_out_at is null)
    `.execute(tx)
    if (!rows[0]?.is_ours) return 0
    const told = await sql<{ events: number }>`
      with waiting as materialized (
        select id, environment_id, type, created_at
        from (
          select *, row_number() over (partition by environment_id order by id) as turn
          from (select id, environment_id, type, created_at from domain_events
            where fanned_out_at is null order by id limit ${LOOKED_AT}::int) as oldest
        ) as in_turns
        order by turn, id limit ${limit}::int
      ), marked as (
        update domain_events set fanned_out_at = ${now}::timestamptz where id in (select id from waiting)
      ), receivers as (
        select id as webhook_id, null::uuid as integration_id, id, environment_id, after_event_id, '[]'::json as events
        from webhooks where enabled
        union all
        select null, id, id, environment_id, after_event_id, events from integrations where enabled
      ), queued as (
        insert into delivery_jobs (webhook_id, integration_id, event_id, message_id, run_at)
        select r.webhook_id, r.integration_id, e.id,
          'evt_' || e.id || '_' || left(md5(r.id || ' ' || e.created_at), 12), ${now}::timestamptz
        from waiting e
        join receivers r on r.environment_id = e.environment_id and e.id > r.after_event_id
          and (json_array_length(r.events) = 0 or e.type in (select json_array_elements_text(r.events)))
        order by e.id, r.id
      )
      select count(*)::int as events from waiting
    `.execute(tx)
    return told.rows[0]?.events ?? 0
  })
}

/** The newest event of the environment that waits to be fanned out: a receiver made now is told of later ones only. */
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

/** What happened, by the id of the event. */
export async function readOccurrences(
  db: Kysely<Database>,
  event_ids: readonly number[],
): Promise<Map<number, Occurrence>> {
  if (event_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('domain_events')
    .select(['id', 'type', 'data', 'created_at'])
    .where('id', '=', sql<number>`any(${event_ids}::bigint[])`)
    .execute()
  const occurrences = new Map<number, Occurrence>()
  for (const { created_at, data, id, type } of rows) {
    const name = DOMAIN_EVENTS.find((event) => event === type)
    // The outbox holds what `changes` has put there: events in this very shape.
    if (name) occurrences.set(id, { type: name, occurred_at: created_at, event: data as ToldEvent })
  }
  return occurrences
}

/** Removes events that were told long ago and that nobody waits for, at most `limit` a call. Gives how many. */
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
