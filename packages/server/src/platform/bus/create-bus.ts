import type { DatabaseConnection } from '../db/database-connection.ts'
import type { Log } from '../log.ts'
import type { Bus } from './bus.ts'
import { createPostgresBus, type NotifyPool } from './postgres-bus.ts'

/** Redis when a URL is set, else LISTEN/NOTIFY on the database that all instances share (contract section 1). */
export async function createBus(
  deps: { log: Log; pool: NotifyPool },
  input: { redisUrl: string | null; connection: DatabaseConnection },
): Promise<Bus> {
  if (input.redisUrl === null) return createPostgresBus(deps, { connection: input.connection })
  // Only who has Redis pays for its client, in time at the start and in memory.
  const { createRedisBus } = await import('./redis-bus.ts')
  return createRedisBus(deps, { redisUrl: input.redisUrl })
}
