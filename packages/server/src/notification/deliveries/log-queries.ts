import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { FinishedAttempt } from './delivery-job.ts'

/**
 * Logs attempts and updates their jobs in one statement. Returns the rows of chats by their id. A receiver
 * that was deleted meanwhile has no log. A job that another instance has already updated is unchanged.
 */
export async function recordAttempts(
  db: Kysely<Database>,
  attempts: readonly FinishedAttempt[],
): Promise<{ integrationDeliveryIds: number[] }> {
  const { rows } = await sql<{ id: number }>`
    with attempts as materialized (
      select * from json_to_recordset(${JSON.stringify(attempts.map(toRow))}::json) as a(
        job_id bigint, webhook_id uuid, integration_id uuid, event_id bigint, event text, message_id text, attempt int,
        status_code int, response_body text, error text, duration_ms int, delivered_at timestamptz, wait_ms int)
    ), hooks as materialized (
      select id from webhooks where id in (select webhook_id from attempts) order by id for key share
    ), chats as materialized (
      select id from integrations where id in (select integration_id from attempts) order by id for key share
    ), hook_log as (
      insert into webhook_deliveries
        (webhook_id, event_id, event, message_id, attempt, status_code, response_body, error, duration_ms, delivered_at)
      select a.webhook_id, e.id, a.event, a.message_id, a.attempt, a.status_code, a.response_body, a.error, a.duration_ms,
        a.delivered_at
      from attempts a join hooks on hooks.id = a.webhook_id left join domain_events e on e.id = a.event_id
      order by a.delivered_at, a.job_id
    ), chat_log as (
      insert into integration_deliveries
        (integration_id, event, message_id, attempt, status_code, response_body, error, duration_ms, delivered_at)
      select a.integration_id, a.event, a.message_id, a.attempt, a.status_code, a.response_body, a.error, a.duration_ms,
        a.delivered_at
      from attempts a join chats on chats.id = a.integration_id
      order by a.delivered_at, a.job_id
      returning id
    ), finished as (
      delete from delivery_jobs j using attempts a where j.id = a.job_id and j.attempt = a.attempt and a.wait_ms is null
    ), put_off as (
      update delivery_jobs j set attempt = j.attempt + 1, run_at = clock_timestamp() + a.wait_ms * interval '1 ms', claimed_until = null
      from attempts a where j.id = a.job_id and j.attempt = a.attempt and a.wait_ms is not null
    )
    select id from chat_log order by id
  `.execute(db)
  return { integrationDeliveryIds: rows.map(({ id }) => id) }
}

function toRow({ event, job, next, result }: FinishedAttempt) {
  const isWebhook = job.receiver.kind === 'webhook'
  return {
    ...result,
    job_id: job.id,
    webhook_id: isWebhook ? job.receiver.id : null,
    integration_id: isWebhook ? null : job.receiver.id,
    event_id: job.event_id,
    event,
    message_id: job.message_id,
    attempt: job.attempt,
    wait_ms: next.kind === 'retry' ? next.wait_ms : null,
  }
}

/** Removes all but the newest rows of each receiver's log. */
export async function trimLogs(
  db: Kysely<Database>,
  {
    integrationIds,
    webhookIds,
  }: { readonly webhookIds: readonly string[]; readonly integrationIds: readonly string[] },
  keep: { readonly webhook: number; readonly integration: number },
): Promise<void> {
  await sql`
    with hooks as (
      delete from webhook_deliveries d using unnest(${webhookIds}::uuid[]) as of(id)
      where d.webhook_id = of.id and d.id <= (select id from webhook_deliveries
        where webhook_id = of.id order by webhook_id, id desc offset ${keep.webhook}::int limit 1)
    )
    delete from integration_deliveries d using unnest(${integrationIds}::uuid[]) as of(id)
    where d.integration_id = of.id and d.id <= (select id from integration_deliveries
      where integration_id = of.id order by integration_id, id desc offset ${keep.integration}::int limit 1)
  `.execute(db)
}
