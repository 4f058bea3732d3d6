import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/**
 * The age at which a job is given up. A receiver that hangs processes fewer events than occur, and its queue
 * grows.
 */
const GIVEN_UP_AFTER_HOURS = 24
const GIVEN_UP = `given up: it has waited for more than ${GIVEN_UP_AFTER_HOURS} hours`

/** The oldest jobs of each receiver that one call reads. */
const SCANNED_PER_RECEIVER = 200

/** Removes jobs that have waited too long, each with a row in its receiver's log. Returns their number. */
export async function giveUpOldJobs(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ given_up: number }>`
    with recursive receivers as (
      (select receiver_id from delivery_jobs order by receiver_id limit 1)
      union all
      select (select receiver_id from delivery_jobs where receiver_id > r.receiver_id order by receiver_id limit 1)
      from receivers r where r.receiver_id is not null
    ), old as materialized (
      select head.id from receivers r cross join lateral (
        (select id, run_at from delivery_jobs
          where receiver_id = r.receiver_id and attempt = 1 order by id limit ${SCANNED_PER_RECEIVER}::int)
        union all
        (select id, run_at from delivery_jobs
          where receiver_id = r.receiver_id and attempt > 1 order by run_at limit ${SCANNED_PER_RECEIVER}::int)
      ) head
      where head.run_at < clock_timestamp() - make_interval(hours => ${GIVEN_UP_AFTER_HOURS}::int)
    ), given_up as (
      delete from delivery_jobs where id = any(array(
        select id from delivery_jobs where id in (select id from old)
          and (claimed_until is null or claimed_until < clock_timestamp())
        for update skip locked))
      returning id, webhook_id, integration_id, event_id, message_id, attempt
    ), hook_log as (
      insert into webhook_deliveries (webhook_id, event_id, event, message_id, attempt, error, duration_ms, delivered_at)
      select g.webhook_id, e.id, e.type, g.message_id, g.attempt, ${GIVEN_UP}, 0, clock_timestamp()
      from given_up g join domain_events e on e.id = g.event_id where g.webhook_id is not null order by g.id
    ), chat_log as (
      insert into integration_deliveries (integration_id, event, message_id, attempt, error, duration_ms, delivered_at)
      select g.integration_id, e.type, g.message_id, g.attempt, ${GIVEN_UP}, 0, clock_timestamp()
      from given_up g join domain_events e on e.id = g.event_id where g.integration_id is not null order by g.id
    )
    select count(*)::int as given_up from given_up
  `.execute(db)
  return rows[0]?.given_up ?? 0
}
