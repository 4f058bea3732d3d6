import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { columnParsers } from './column-parsers.ts'
import { type DatabaseConnection, toClientConfig } from './database-connection.ts'
import { preparingPool } from './preparing-pool.ts'
import { createStorageHealth, type StorageHealth } from './storage-health.ts'
import type { Database } from './tables.ts'

export type { DatabaseConnection } from './database-connection.ts'
export { DatabaseUnavailable, isDatabaseUnavailable } from './database-unavailable.ts'
export { uniqueViolation } from './unique-violation.ts'

/**
 * An open database: Kysely for queries, and the pool for what needs pg itself. `close` waits for running
 * queries.
 */
export type OpenDatabase = {
  db: Kysely<Database>
  pool: pg.Pool
  storage: StorageHealth
  close(): Promise<void>
}

const IDLE_CONNECTION_MS = 60_000

/**
 * The time after which a statement fails. Statements take milliseconds; one without a response for this long
 * waits for a broken network.
 */
const QUERY_TIMEOUT_MS = 10_000

/**
 * The timeouts in PostgreSQL: a session that waits too long for a row, or disappears in a transaction, must
 * not block others.
 */
const SESSION_TIMEOUTS = {
  lock_timeout: 5_000,
  statement_timeout: QUERY_TIMEOUT_MS - 1_000,
  idle_in_transaction_session_timeout: QUERY_TIMEOUT_MS,
}

/**
 * Opens a pool of at most `max_connections` connections, which are created on demand: this call does not use
 * the network. A query fails with `DatabaseUnavailable` when it gets no connection within 5 s, or no response
 * within 10 s unless `patient` is set.
 */
export function connectDatabase(input: {
  connection: DatabaseConnection
  max_connections: number
  log: Log
  longRunning?: boolean
}): OpenDatabase {
  const pool = new pg.Pool({
    ...toClientConfig(input.connection),
    application_name: 'burgee',
    max: input.max_connections,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    // Statements are sent without waiting for the response to the one before: see `pipelinedTransaction`.
    pipeline: true,
    ...(input.longRunning !== true && { query_timeout: QUERY_TIMEOUT_MS, ...SESSION_TIMEOUTS }),
    types: columnParsers(),
  })
  let closing: Promise<void> | null = null
  pool.on('error', (err) => {
    if (closing === null) input.log.warn({ err }, 'an idle database connection broke')
  })
  // While a connection is lent the pool does not listen to it, and an unhandled 'error' would end the
  // process. The running or next query fails with the same error.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const storage = createStorageHealth(input.log)
  const dialect = new PostgresDialect({ pool: preparingPool(pool, storage.observe) })
  const db = new Kysely<Database>({ dialect })

  /** Kysely ends the pool only when it was used itself. */
  async function end(): Promise<void> {
    await db.destroy()
    if (!pool.ended) await pool.end()
  }

  return {
    db,
    pool,
    storage,
    close: () => {
      closing ??= end()
      return closing
    },
  }
}
