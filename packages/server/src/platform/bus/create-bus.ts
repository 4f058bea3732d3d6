import type { DatabaseConnection } from '../db/database-connection.ts'
import type { Log } from '../log.ts'
import type { Bus } from './bus.ts'
import { createPostgresBus, type NotifyPool } from './postgres-bus.ts'
import { createRedisBus } from './redis-bus.ts'

/** Redis when a URL is set, else LISTEN/NOTIFY on the database that all instances share (contract section 1). */
export function createBus(
  deps: { log: Log; pool: NotifyPool },
  input: { redis_url: string | null; connection: DatabaseConnection },
): Bus {
  return input.redis_url === null
    ? createPostgresBus(deps, { connection: input.connection })
    : createRedisBus(deps, { redis_url: input.redis_url })
}
