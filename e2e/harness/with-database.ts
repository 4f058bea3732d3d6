import type pg from 'pg'
import { connectDatabase } from '../../packages/server/src/platform/db/connect.ts'
import { createLog } from '../../packages/server/src/platform/log/log.ts'
import { PATIENCE_MS, within } from './within.ts'

/** Opens a database, runs the work, and closes it. */
export async function withDatabase<T>(connection: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const { close, pool } = connectDatabase({ connection, max_connections: 1, log: createLog('error') })
  return within(5 * PATIENCE_MS, 'an answer of the database', work(pool)).finally(close)
}
