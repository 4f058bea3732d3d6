import { DOMAIN_EVENTS, type DomainEventType } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DomainEventPayload } from '../../kernel/domain-event-payload.ts'
import type { Database } from '../../platform/db/tables.ts'
import { CLAIM_SECONDS, type DeliveryJob, type Receiver } from './delivery-job.ts'

/**
 * The limits of a claim. Failing receivers and retries have limits of their own, so they cannot starve
 * healthy receivers.
 */
export interface ClaimLimits {
  /** First attempts at receivers without a failed one that waits for its retry. */
  readonly healthy: number
  /** First attempts at the others. */
  readonly failing: number
  readonly retries: number
  readonly retriesPerReceiver: number
  /** The ids of receivers for which this instance is making as many retries already. */
  readonly saturatedReceivers: readonly string[]
  /** The ids of receivers that are not claimed for now. */
  readonly heldReceivers: readonly string[]
}

/**
 * Claims due jobs. The first attempts of a receiver are claimed one by one, in order, over all instances: the
 * next when the one before has left the head of its queue. The database decides what is due, because the
 * clocks of instances differ. Events of a newer version are left to it. The cost grows with the receivers
 * that have jobs, not with the jobs.
 */
export async function claimJobs(db: Kysely<Database>, limits: ClaimLimits): Promise<Claim> {
  const { rows } = await sql<ClaimedRow & { readonly waited_ms: number }>`
    with recursive receivers as (
      (select receiver_id from delivery_jobs order by receiver_id limit 1)
      union all
      select (select receiver_id from delivery_jobs where receiver_id > r.receiver_id order by receiver_id limit 1)
      from receivers r where r.receiver_id is not null
    ), heads as materialized (
      select head.id, exists (
        select from delivery_jobs where receiver_id = r.receiver_id and attempt > 1
      ) as is_failing
      from receivers r cross join lateral (
        select id, event_id, claimed_until from delivery_jobs
        where receiver_id = r.receiver_id and attempt = 1 order by id limit 1
      ) head
      where (head.claimed_until is null or head.claimed_until < clock_timestamp()) and ${isKnown('head')}
        and r.receiver_id <> all(${limits.heldReceivers}::uuid[])
    ), retries as (
      select due.id from receivers r cross join lateral (
        select id, run_at from delivery_jobs j
        where receiver_id = r.receiver_id and attempt > 1 and run_at <= clock_timestamp()
          and (claimed_until is null or claimed_until < clock_timestamp()) and ${isKnown('j')}
        order by run_at limit ${limits.retriesPerReceiver}::int
      ) due
      where r.receiver_id <> all(${[...limits.saturatedReceivers, ...limits.heldReceivers]}::uuid[])
      order by due.run_at limit ${limits.retries}::int
    ), claimed as (
      update delivery_jobs set claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}::int)
      where id = any(array(
        select id from delivery_jobs
        where id in (
            (select id from heads where not is_failing order by id limit ${limits.healthy}::int)
            union all (select id from heads where is_failing order by id limit ${limits.failing}::int)
            union all (select id from retries))
          and (claimed_until is null or claimed_until < clock_timestamp())
        for update skip locked))
      returning id, webhook_id, integration_id, event_id, message_id, asked_for, attempt, run_at
    )
    select ${JOB_COLUMNS}, case when j.attempt = 1 and exists (select from heads where id = j.id and is_failing) then 0
      else extract(epoch from clock_timestamp() - j.run_at)::float8 * 1000 end as waited_ms
    from claimed j left join webhooks w on w.id = j.webhook_id left join integrations i on i.id = j.integration_id
    order by j.id
  `.execute(db)
  return {
    jobs: rows.flatMap(({ waited_ms: _, ...row }) => toJob(row) ?? []),
    waited_ms: rows.reduce((longest, { waited_ms }) => Math.max(longest, waited_ms), 0),
  }
}

interface Claim {
  readonly jobs: readonly DeliveryJob[]
  /**
   * The time for which the oldest of them was due, by the database's clock. The queues of failing receivers
   * do not count.
   */
  readonly waited_ms: number
}

const isKnown = (job: 'head' | 'j') => sql`exists (
  select from domain_events where id = ${sql.ref(`${job}.event_id`)} and type = any(${[...DOMAIN_EVENTS]}::text[]))`

interface ClaimedRow extends Omit<DeliveryJob, 'receiver'> {
  readonly receiver_id: string
  readonly kind: Receiver['kind']
  readonly enabled: boolean
  readonly url: string | null
  readonly sealed: string | null
}

const JOB_COLUMNS = sql`j.id, j.event_id, j.message_id, j.asked_for as "isManual", j.attempt, coalesce(w.id, i.id) as receiver_id,
  coalesce(i.kind, 'webhook') as kind, coalesce(w.enabled, i.enabled) as enabled, w.url,
  coalesce(w.secret_sealed, i.webhook_url_sealed) as sealed`

/** Null when the receiver was deleted meanwhile, with the job. */
function toJob({ enabled, kind, receiver_id, sealed, url, ...job }: ClaimedRow): DeliveryJob | null {
  const id = receiver_id
  if (kind === 'webhook') {
    return url === null ? null : { ...job, receiver: { kind, id, enabled, url, secret_sealed: sealed } }
  }
  return sealed === null ? null : { ...job, receiver: { kind, id, enabled, webhook_url_sealed: sealed } }
}

/**
 * Renews the claims of running attempts. An attempt that was just logged has released its claim, and its job
 * may wait for the next attempt; this does not claim that one.
 */
export async function renewClaims(db: Kysely<Database>, attempts: readonly ClaimedAttempt[]): Promise<void> {
  const ids = attempts.map(({ id }) => id)
  const numbers = attempts.map(({ attempt }) => attempt)
  await sql`
    update delivery_jobs set claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}::int)
    where id = any(array(
      select job.id from delivery_jobs job
      join unnest(${ids}::bigint[], ${numbers}::int[]) as running(id, attempt) using (id, attempt)
      where job.claimed_until is not null
      for update of job skip locked))
  `.execute(db)
}

export type ClaimedAttempt = Pick<DeliveryJob, 'id' | 'attempt'>

/** Returns jobs to the queue as if they had not been claimed. */
export async function releaseJobs(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
  await sql`update delivery_jobs set claimed_until = null where id = any(${ids}::bigint[])`.execute(db)
}

/** Removes jobs that must not run any more. */
export async function dropJobs(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
  await sql`delete from delivery_jobs where id = any(${ids}::bigint[])`.execute(db)
}

/** Removes a receiver's jobs, except those that a user requested. */
export async function dropJobsOf(tx: Transaction<Database>, receiver_id: string): Promise<void> {
  await tx
    .deleteFrom('delivery_jobs')
    .where('receiver_id', '=', receiver_id)
    .where((eb) => eb.or([eb('asked_for', '=', false), eb('attempt', '>', 1)]))
    .execute()
}

/**
 * Removes a chat's jobs of events that it does not listen to any more, except those that a user requested.
 */
export async function dropJobsOfOtherEvents(
  tx: Transaction<Database>,
  receiver_id: string,
  events: readonly DomainEventType[],
): Promise<void> {
  await sql`
    delete from delivery_jobs j using domain_events e
    where j.receiver_id = ${receiver_id}::uuid and not j.asked_for
      and e.id = j.event_id and e.type <> all(${events}::text[])
  `.execute(tx)
}

/** Queues the event of a logged attempt again, under the same id. False when the event was pruned. */
export async function queueAgain(
  db: Kysely<Database>,
  { delivery_id, webhook_id }: { readonly webhook_id: string; readonly delivery_id: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into delivery_jobs (webhook_id, event_id, message_id, asked_for, run_at)
    select webhook_id, event_id, message_id, true, clock_timestamp() from webhook_deliveries
    where webhook_id = ${webhook_id}::uuid and id = ${delivery_id}::int and event_id is not null
  `.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

export interface SampleJob {
  readonly project_id: string
  readonly environment_id: string
  readonly integration_id: string
  readonly type: DomainEventType
  readonly event: DomainEventPayload
  readonly now: string
}

/**
 * Stores an event for one chat only, with a job that is already claimed. Undefined when the chat does not
 * exist.
 */
export async function insertSample(
  db: Kysely<Database>,
  sample: SampleJob,
): Promise<DeliveryJob | undefined> {
  const { rows } = await sql<ClaimedRow>`
    with i as materialized (
      select id, kind, enabled, webhook_url_sealed from integrations
      where id = ${sample.integration_id}::uuid and environment_id = ${sample.environment_id}::uuid for key share
    ), event as (
      insert into domain_events (project_id, environment_id, type, data, created_at, fanned_out_at)
      select ${sample.project_id}::uuid, ${sample.environment_id}::uuid, ${sample.type}, ${JSON.stringify(sample.event)}::json,
        ${sample.now}::timestamptz, ${sample.now}::timestamptz from i
      returning id
    ), j as (
      insert into delivery_jobs (integration_id, event_id, message_id, asked_for, run_at, claimed_until)
      select i.id, event.id, 'evt_' || event.id || '_test', true, clock_timestamp(),
        clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}::int)
      from i, event
      returning id, event_id, message_id, asked_for as "isManual", attempt
    )
    select j.*, i.id as receiver_id, i.kind, i.enabled, null as url, i.webhook_url_sealed as sealed from j, i
  `.execute(db)
  const [row] = rows
  return row && (toJob(row) ?? undefined)
}

/** Counts jobs, retries included, up to `limit`. */
export async function countDeliveryJobs(db: Kysely<Database>, limit: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (select from delivery_jobs limit ${limit}::int) as some_jobs
  `.execute(db)
  return rows[0]?.waiting ?? 0
}
