import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { trimLogsOf } from './attempt-log.ts'
import type { DeliveryWorker } from './delivery-worker.ts'
import { insertSample, type SampleJob } from './job-queries.ts'
import { recordAttempts } from './log-queries.ts'

/**
 * The id of the logged delivery, or why there is none. `aborted`: the server stopped, or the chat was deleted
 * meanwhile.
 */
export type SentSample = { readonly delivery_id: number } | 'no_integration' | 'aborted'

export interface SampleDeps {
  readonly db: Kysely<Database>
  readonly worker: Pick<DeliveryWorker, 'deliverNow'>
}

/** Delivers an event to one chat only, as real events are delivered, and waits for the first attempt. */
export async function sendSample({ db, worker }: SampleDeps, sample: SampleJob): Promise<SentSample> {
  const job = await insertSample(db, sample)
  if (!job) return 'no_integration'
  const occurrence = { type: sample.type, occurred_at: sample.now, event: sample.event }
  const delivery_id = await worker.deliverNow({ job, occurrence }, async (attempt) => {
    const { integrationDeliveryIds } = await recordAttempts(db, [attempt])
    await trimLogsOf(db, [attempt])
    return integrationDeliveryIds[0] ?? null
  })
  return delivery_id === null ? 'aborted' : { delivery_id }
}
