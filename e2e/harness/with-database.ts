import type pg from 'pg'
import { connectDatabase } from '../../packages/server/src/platform/db/connect.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'

/** Opens a database, works on it, closes it. */
export async function withDatabase<T>(connection: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const { close, pool } = connectDatabase({ connection, max_connections: 1, log: createLog('error') })
  return work(pool).finally(close)
}
