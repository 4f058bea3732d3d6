import { setTimeout as delay } from 'node:timers/promises'
import { withDatabase } from './with-database.ts'

const LOOK_EVERY_MS = 50

/**
 * Watches how long sessions of a database wait for locks on tables and rows. `stop` returns the longest wait
 * that was seen, in milliseconds: unlike the time of a request, it does not depend on the load of the
 * machine.
 */
export function watchLockWaits(connection: string): { stop(): Promise<number> } {
  let isOver = false
  const watching = withDatabase(connection, async (pool) => {
    let longest = 0
    while (!isOver) {
      const { rows } = await pool.query<{ ms: number | null }>(`
        select extract(epoch from max(clock_timestamp() - waitstart)) * 1000 as ms from pg_locks
        where not granted and locktype <> 'advisory'`)
      longest = Math.max(longest, Math.round(Number(rows[0]?.ms ?? 0)))
      await delay(LOOK_EVERY_MS)
    }
    return longest
  })
  return {
    stop() {
      isOver = true
      return watching
    },
  }
}
