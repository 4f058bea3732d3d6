import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type DeliveryJob, isDeliverable } from './delivery-job.ts'
import type { ClaimedDeliveries } from './delivery-worker.ts'
import { type ClaimLimits, claimJobs, dropJobs, releaseJobs } from './job-queries.ts'
import { readOccurrences } from './outbox-queries.ts'

/** The bytes of events that are read for one claim. */
const EVENTS_MAX_BYTES = 64 * 1024 * 1024

/**
 * Claims jobs and reads their events. Jobs of receivers that were disabled meanwhile are dropped. Jobs whose
 * events are too large to be read at the same time, or of a type that only a newer version knows, are
 * released.
 */
export async function claimDeliveries(db: Kysely<Database>, limits: ClaimLimits): Promise<ClaimedDeliveries> {
  const { jobs, waited_ms } = await claimJobs(db, limits)
  if (jobs.length === 0) return { deliveries: [], waited_ms }
  const dropped = jobs.filter((job) => !isDeliverable(job))
  if (dropped.length > 0) await dropJobs(db, dropped.map(toId))
  const deliverable = jobs.filter(isDeliverable)
  const eventIds = [...new Set(deliverable.map(({ event_id }) => event_id))]
  const occurrences = await readOccurrences(db, eventIds, EVENTS_MAX_BYTES)
  const deliveries = deliverable.flatMap((job) => {
    const occurrence = occurrences.get(job.event_id)
    return occurrence ? [{ job, occurrence }] : []
  })
  const unread = deliverable.filter(({ event_id }) => !occurrences.has(event_id))
  if (unread.length > 0) await releaseJobs(db, unread.map(toId))
  return { deliveries, waited_ms }
}

const toId = ({ id }: DeliveryJob): number => id
