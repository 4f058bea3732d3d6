import type { ProxySettings } from '@burgee/egress'
import type { Kysely } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { withTimeout } from '../../platform/concurrency/with-timeout.ts'
import type { DataKey } from '../../platform/crypto/data-key.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { createLoopUtilization } from '../../platform/metrics/loop-utilization.ts'
import { createOutbound } from '../../platform/outbound/create-outbound.ts'
import type { PrivateTargets } from '../../platform/outbound/private-targets.ts'
import { attemptDelivery, weighDelivery } from './attempt-delivery.ts'
import { type AttemptLogDeps, createAttemptLog } from './attempt-log.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { createDeliveryWorker } from './delivery-worker.ts'
import { giveUpOldJobs } from './give-up-queries.ts'
import type { SampleJob } from './job-queries.ts'
import { releaseJobs, renewClaims } from './job-queries.ts'
import { fanOutEvents } from './outbox-queries.ts'
import { createPayloadCache } from './payload-cache.ts'
import { type SentSample, sendSample } from './send-sample.ts'

/** The bytes that are on their way to one host (docs/reference/events.md#limits-of-receivers). */
const HOST_MAX_BYTES = 16 * 1024 * 1024

/** For running attempts, and for the release of what was aborted (docs/operations.md). */
const CLOSE_MS = 8_400

export interface DeliveriesDeps extends Pick<AttemptLogDeps, 'recordGone'> {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly data_key: DataKey
  readonly privateTargets: PrivateTargets
  /** The proxy for https receivers. */
  readonly proxy: ProxySettings
  /** Connections to receivers that may be open at once. */
  readonly connections: number
  readonly toChatMessage: Parameters<typeof createPayloadCache>[0]
}

/** Delivers domain events to webhooks and chats. */
export interface Deliveries {
  start(): void
  /** There are new events. */
  wake(): void
  sendSample(sample: SampleJob): Promise<SentSample>
  close(): Promise<void>
}

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { clock, db, log } = deps
  const outbound = createOutbound({ privateTargets: deps.privateTargets, proxy: deps.proxy })
  const attemptLog = createAttemptLog(deps)
  const sending = {
    clock,
    log,
    outbound,
    data_key: deps.data_key,
    bodyFor: createPayloadCache(deps.toChatMessage),
  }
  const worker = createDeliveryWorker({
    clock,
    log,
    connections: deps.connections,
    hostBytes: HOST_MAX_BYTES,
    weigh: (delivery) => weighDelivery(sending, delivery),
    utilization: createLoopUtilization(),
    fanOut: (limit) => fanOutEvents(db, { limit }),
    claim: (limits) => claimDeliveries(db, limits),
    attempt: ({ job, occurrence }, signal) => attemptDelivery(sending, job, { occurrence, signal }),
    record: attemptLog.record,
    renew: (attempts) => renewClaims(db, attempts),
    release: (ids) => releaseJobs(db, ids),
    async giveUp() {
      const count = await giveUpOldJobs(db)
      if (count > 0) log.warn({ deliveries: count }, 'deliveries that waited too long were given up')
    },
  })
  return {
    start: worker.start,
    wake: worker.wake,
    sendSample: (sample) => sendSample({ db, worker }, sample),
    async close() {
      await withTimeout(worker.close(), CLOSE_MS)
      attemptLog.close()
      await outbound.close()
    },
  }
}
