import type { DatabaseConnection } from '../db/database-connection.ts'
import type { Log } from '../log/log.ts'
import type { Bus } from './bus.ts'
import { createPostgresBus, type NotifyPool } from './postgres-bus.ts'

/** Creates the bus: over Redis when a URL is set, otherwise over LISTEN/NOTIFY on the shared database. */
export async function createBus(
  deps: { log: Log; pool: NotifyPool },
  input: { redisUrl: string | null; connection: DatabaseConnection },
): Promise<Bus> {
  if (input.redisUrl === null) return createPostgresBus(deps, { connection: input.connection })
  // Loaded on demand: only installations with Redis pay for its client in start time and memory.
  const { createRedisBus } = await import('./redis-bus.ts')
  return createRedisBus(deps, { redisUrl: input.redisUrl })
}
