import type { Kysely } from 'kysely'
import type { WorkspaceWriteDeps } from '../changes/index.ts'
import type { Config } from '../config.ts'
import {
  attemptDelivery,
  claimJobs,
  createAttemptLog,
  dropJobs,
  fanOutEvents,
  mayBeTold,
  readOccurrences,
  releaseJobs,
  renewClaims,
} from '../features/deliveries/index.ts'
import { toSlackMessage, toTeamsMessage } from '../features/integrations/index.ts'
import { disableGoneWebhook } from '../features/webhooks/index.ts'
import { CLAIM_SECONDS, type ClaimRoom, createDeliveryRun, type Delivery } from '../jobs/deliver-events.ts'
import type { Clock } from '../platform/clock.ts'
import type { DataKey } from '../platform/crypto/data-key.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log.ts'
import { createOutbound } from '../platform/outbound/create-outbound.ts'
import { waitAtMost } from '../platform/wait-at-most.ts'

/** What the running ones get to come to their end, and some for putting back the rest (contract, section 1). */
const CLOSE_MS = 8_400

interface Deps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly data_key: DataKey
  readonly structure: WorkspaceWriteDeps
}

/** How receivers are told of events: the queue, its log, and the way out. */
export function createDeliveries({ block_private_targets, public_url }: Config, deps: Deps) {
  const { clock, data_key, db, log, structure } = deps
  const outbound = createOutbound({ block_private_targets })
  const attempts = createAttemptLog({
    db,
    log,
    recordGone: (attempt) => disableGoneWebhook(structure, attempt),
  })
  const sending = {
    clock,
    log,
    outbound,
    data_key,
    toChatMessage: (kind: 'slack' | 'teams', occurrence: Delivery['occurrence']) =>
      kind === 'slack'
        ? toSlackMessage(occurrence, { public_url })
        : toTeamsMessage(occurrence, { public_url }),
  }
  const run = createDeliveryRun({
    clock,
    log,
    fanOut: (limit) => fanOutEvents(db, { limit, now: clock.now().toISOString() }),
    claim: (room) => claimDeliveries(db, { ...room, now: clock.now().toISOString() }),
    attempt: ({ job, occurrence }, signal) => attemptDelivery(sending, job, { occurrence, signal }),
    record: attempts.record,
    renew: (ids) => renewClaims(db, { ids, claim_seconds: CLAIM_SECONDS }),
    release: (ids) => releaseJobs(db, ids),
  })
  return {
    run,
    claim_seconds: CLAIM_SECONDS,
    async close() {
      await waitAtMost(CLOSE_MS, run.close())
      attempts.close()
      await outbound.close()
    },
  }
}

/** Takes jobs with what they tell of. Those of receivers that were disabled meanwhile are dropped. */
async function claimDeliveries(
  db: Kysely<Database>,
  wish: ClaimRoom & { readonly now: string },
): Promise<Delivery[]> {
  const jobs = await claimJobs(db, { ...wish, claim_seconds: CLAIM_SECONDS })
  if (jobs.length === 0) return []
  const occurrences = await readOccurrences(db, [...new Set(jobs.map(({ event_id }) => event_id))])
  const deliveries = jobs.flatMap((job) => {
    const occurrence = occurrences.get(job.event_id)
    return occurrence && mayBeTold(job) ? [{ job, occurrence }] : []
  })
  const told = new Set(deliveries.map(({ job }) => job.id))
  const dropped = jobs.filter(({ id }) => !told.has(id)).map(({ id }) => id)
  if (dropped.length > 0) await dropJobs(db, dropped)
  return deliveries
}
