import { INTEGRATION_DELIVERIES_MAX } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import type { FinishedAttempt } from './delivery-job.ts'
import { recordAttempts, trimLogs } from './log-queries.ts'

/**
 * The number of rows that are kept of each receiver (docs/reference/api.md#limits); for webhooks more than
 * the 100 that are shown.
 */
const KEPT_ATTEMPTS = { webhook: 500, integration: INTEGRATION_DELIVERIES_MAX }
const BATCH_MAX = 100
const TRY_AGAIN_MS = 500

/** Logs attempts, several in one statement under load. */
export interface AttemptLog {
  /** Resolves when the attempt is logged and its job updated. */
  record(attempt: FinishedAttempt): Promise<void>
  /** Stops waiting for an unresponsive database. Attempts that are not logged will be sent again. */
  close(): void
}

export interface AttemptLogDeps {
  readonly db: Kysely<Database>
  readonly log: Log
  /**
   * Logs an attempt after which the receiver wants no more deliveries, and disables it, in one transaction.
   */
  readonly recordGone: (attempt: FinishedAttempt) => Promise<void>
}

interface Waiting {
  readonly attempt: FinishedAttempt
  readonly resolve: () => void
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createAttemptLog({ db, log, recordGone }: AttemptLogDeps): AttemptLog {
  const waiting: Waiting[] = []
  let isWriting = false
  let closed = false
  let pause: { readonly timer: NodeJS.Timeout; readonly end: () => void } | null = null

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX)
      const unwritten = await writeBatch(batch)
      if (unwritten.length === 0) continue
      if (closed) return
      waiting.unshift(...unwritten)
      await takePause()
    }
  }

  /**
   * Writes a batch and returns the attempts that failed. One that the database refuses must not delay the
   * others.
   */
  async function writeBatch(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const gone = batch.filter(isGone)
    const others = batch.filter((each) => !isGone(each))
    const whole = await write(others, () => recordAll(others))
    const alone = whole.length > 1 && !closed ? await writeEach(whole, (each) => recordAll([each])) : whole
    return [...alone, ...(await writeEach(gone, ({ attempt }) => recordGone(attempt)))]
  }

  async function writeEach(
    batch: readonly Waiting[],
    record: (each: Waiting) => Promise<void>,
  ): Promise<readonly Waiting[]> {
    const unwritten: Waiting[] = []
    for (const each of batch) unwritten.push(...(await write([each], () => record(each))))
    return unwritten
  }

  async function write(batch: readonly Waiting[], record: () => Promise<void>): Promise<readonly Waiting[]> {
    if (batch.length === 0) return []
    try {
      await record()
    } catch (err) {
      log.warn({ err, attempts: batch.length }, 'deliveries could not be logged; retrying')
      return batch
    }
    for (const { resolve } of batch) resolve()
    return []
  }

  async function recordAll(batch: readonly Waiting[]): Promise<void> {
    await recordAttempts(
      db,
      batch.map(({ attempt }) => attempt),
    )
    await trimLogsOf(
      db,
      batch.map(({ attempt }) => attempt),
    ).catch((err: unknown) => log.warn({ err }, 'old deliveries could not be removed'))
  }

  function takePause(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        pause = null
        resolve()
      }
      pause = { end, timer: setTimeout(end, TRY_AGAIN_MS) }
    })
  }

  return {
    record(attempt) {
      return new Promise<void>((resolve) => {
        waiting.push({ attempt, resolve })
        if (isWriting) return
        isWriting = true
        void writeAll().finally(() => {
          isWriting = false
        })
      })
    },
    close() {
      closed = true
      if (pause === null) return
      clearTimeout(pause.timer)
      pause.end()
    },
  }
}

const isGone = ({ attempt }: Waiting): boolean => attempt.next.kind === 'gone'

/** Removes the excess rows from the logs of these attempts' receivers. */
export async function trimLogsOf(db: Kysely<Database>, attempts: readonly FinishedAttempt[]): Promise<void> {
  const receivers = attempts.map(({ job }) => job.receiver)
  const ids = (isWebhook: boolean) => [
    ...new Set(receivers.filter(({ kind }) => (kind === 'webhook') === isWebhook).map(({ id }) => id)),
  ]
  await trimLogs(db, { webhookIds: ids(true), integrationIds: ids(false) }, KEPT_ATTEMPTS)
}
