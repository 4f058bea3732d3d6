import { type Kysely, sql } from 'kysely'
import type { Log } from '../log/log.ts'
import { createOffsetEstimate } from './offset-estimate.ts'
import type { Database } from './tables.ts'

const INTERVAL_MS = 1_000
/** The round trip above which a response shows too little about the time. */
const ROUND_TRIP_MAX_MS = 500

interface Deps {
  readonly db: Kysely<Database>
  readonly log: Log
  /** Receives the database's time in milliseconds since 1970. */
  readonly onTime: (epochMs: number) => void
}

/**
 * Reads the database's clock now and every second. All instances use that clock, so that sessions, locks and
 * schedules do not depend on the clocks of their machines. Resolves after the first reading, whether it
 * succeeded or not.
 */
export async function followDatabaseTime({ db, log, onTime }: Deps): Promise<{ close(): void }> {
  const offsetAfter = createOffsetEstimate()
  async function read(): Promise<void> {
    const sentMs = performance.now()
    const { rows } = await sql<{ epoch_ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as epoch_ms
    `.execute(db)
    const receivedMs = performance.now()
    const epochMs = rows[0]?.epoch_ms
    if (epochMs === undefined || receivedMs - sentMs > ROUND_TRIP_MAX_MS) return
    onTime(receivedMs + offsetAfter({ sentMs, receivedMs, epochMs }))
  }

  const readOnce = () =>
    read().catch((err: unknown) => log.debug({ err }, "the database's time could not be read; retrying"))
  await readOnce()
  let timer: NodeJS.Timeout
  let isClosed = false
  const readLater = () => {
    if (isClosed) return
    timer = setTimeout(() => void readOnce().finally(readLater), INTERVAL_MS).unref()
  }
  readLater()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
