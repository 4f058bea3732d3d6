import type { Kysely } from 'kysely'
import type { WorkspaceWriteDeps } from '../changes/index.ts'
import {
  CLAIM_SECONDS,
  type ClaimRoom,
  createDeliveryRun,
  type Delivery,
} from '../features/deliveries/delivery-worker.ts'
import {
  attemptDelivery,
  claimJobs,
  createAttemptLog,
  createPayloadCache,
  dropJobs,
  fanOutEvents,
  giveUpOldJobs,
  isDeliverable,
  readOccurrences,
  releaseJobs,
  renewClaims,
} from '../features/deliveries/index.ts'
import { toSlackMessage, toTeamsMessage } from '../features/integrations/index.ts'
import { disableGoneWebhook } from '../features/webhooks/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { DataKey } from '../platform/crypto/data-key.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log.ts'
import { createLoopUtilisation } from '../platform/loop-utilisation.ts'
import { createOutbound } from '../platform/outbound/create-outbound.ts'
import type { PrivateTargets } from '../platform/outbound/private-targets.ts'
import type { Config } from '../platform/settings/config.ts'
import { waitAtMost } from '../platform/wait-at-most.ts'

/** The bytes of large flags that are read at once. */
const MESSAGES_MAX_BYTES = 64 * 1024 * 1024

/**
 * The time to close: running deliveries may finish, and the others are returned to the queue
 * (docs/operations.md).
 */
const CLOSE_MS = 8_400

interface Deps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly data_key: DataKey
  readonly workspaceWrites: WorkspaceWriteDeps
  readonly privateTargets: PrivateTargets
  /** The number of concurrent connections to receivers. */
  readonly connections: number
}

/** Creates the delivery of events: the queue, its log, and the outgoing requests. */
export function createDeliveries({ publicUrl }: Pick<Config, 'publicUrl'>, deps: Deps) {
  const { clock, data_key, db, log, workspaceWrites } = deps
  const outbound = createOutbound({ privateTargets: deps.privateTargets })
  const attempts = createAttemptLog({
    db,
    log,
    recordGone: (attempt) => disableGoneWebhook(workspaceWrites, attempt),
  })
  const sending = {
    clock,
    log,
    outbound,
    data_key,
    bodyFor: createPayloadCache((kind, occurrence) =>
      kind === 'slack'
        ? toSlackMessage(occurrence, { publicUrl })
        : toTeamsMessage(occurrence, { publicUrl }),
    ),
  }
  const run = createDeliveryRun({
    clock,
    log,
    atOnce: deps.connections,
    utilisation: createLoopUtilisation(),
    fanOut: (limit) => fanOutEvents(db, { limit }),
    claim: (room) => claimDeliveries(db, room),
    attempt: ({ job, occurrence }, signal) => attemptDelivery(sending, job, { occurrence, signal }),
    record: attempts.record,
    renew: (ids) => renewClaims(db, { ids, claimSeconds: CLAIM_SECONDS }),
    release: (ids) => releaseJobs(db, ids),
    async giveUp() {
      const given_up = await giveUpOldJobs(db)
      if (given_up > 0)
        log.warn({ deliveries: given_up }, 'deliveries that waited for too long were given up')
    },
  })
  return {
    run,
    claimSeconds: CLAIM_SECONDS,
    async close() {
      await waitAtMost(CLOSE_MS, run.close())
      attempts.close()
      await outbound.close()
    },
  }
}

/**
 * Claims jobs with their events. Jobs of receivers that were disabled meanwhile are dropped. Jobs that cannot
 * be sent now, because they are too large together or need a newer version, are returned to the queue.
 */
async function claimDeliveries(
  db: Kysely<Database>,
  wish: ClaimRoom,
): Promise<{ deliveries: Delivery[]; waited_ms: number }> {
  const { jobs, waited_ms } = await claimJobs(db, { ...wish, claimSeconds: CLAIM_SECONDS })
  if (jobs.length === 0) return { deliveries: [], waited_ms }
  const dropped = jobs.filter((job) => !isDeliverable(job))
  if (dropped.length > 0) await dropJobs(db, dropped.map(toId))
  const deliverable = jobs.filter(isDeliverable)
  const eventIds = [...new Set(deliverable.map(({ event_id }) => event_id))]
  const occurrences = await readOccurrences(db, eventIds, MESSAGES_MAX_BYTES)
  const deliveries = deliverable.flatMap((job) => {
    const occurrence = occurrences.get(job.event_id)
    return occurrence ? [{ job, occurrence }] : []
  })
  const putBack = deliverable.filter(({ event_id }) => !occurrences.has(event_id))
  if (putBack.length > 0) await releaseJobs(db, putBack.map(toId))
  return { deliveries, waited_ms }
}

const toId = ({ id }: { readonly id: number }): number => id
