import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { columnParsers } from './column-parsers.ts'
import { type DatabaseConnection, toClientConfig } from './database-connection.ts'
import { preparingPool } from './preparing-pool.ts'
import { createStorageHealth, type StorageHealth } from './storage-health.ts'
import type { Database } from './tables.ts'

export type { DatabaseConnection } from './database-connection.ts'
export { DatabaseUnavailable, isDatabaseUnavailable } from './database-unavailable.ts'
export { uniqueViolation } from './unique-violation.ts'

/** An open database: Kysely for queries, the pool beneath it for what needs pg itself. `close` waits for running queries. */
export type OpenDatabase = {
  db: Kysely<Database>
  pool: pg.Pool
  storage: StorageHealth
  close(): Promise<void>
}

const IDLE_CONNECTION_MS = 60_000

/** Statements take milliseconds; one without an answer for this long waits on a network that swallows it, and would wait for ever. */
const QUERY_TIMEOUT_MS = 10_000

/** PostgreSQL's own side of it: whoever waits for a row longer than this, or vanishes inside a transaction, must not hold others up. */
const SESSION_TIMEOUTS = {
  lock_timeout: 5_000,
  statement_timeout: QUERY_TIMEOUT_MS - 1_000,
  idle_in_transaction_session_timeout: QUERY_TIMEOUT_MS,
}

/**
 * A pool of at most `max_connections` connections, made as they are needed: this call does not touch the network. A query that
 * finds no connection within 5 s fails with `DatabaseUnavailable`, and so does one that gets no answer within 10 s, unless
 * `patient` says that answers may take long.
 */
export function connectDatabase(input: {
  connection: DatabaseConnection
  max_connections: number
  log: Log
  patient?: boolean
}): OpenDatabase {
  const pool = new pg.Pool({
    ...toClientConfig(input.connection),
    application_name: 'burgee',
    max: input.max_connections,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    ...(input.patient !== true && { query_timeout: QUERY_TIMEOUT_MS, ...SESSION_TIMEOUTS }),
    types: columnParsers(),
  })
  let closing: Promise<void> | null = null
  pool.on('error', (err) => {
    if (closing === null) input.log.warn({ err }, 'an idle database connection broke')
  })
  // While a connection is lent out the pool does not listen, and an unheard 'error' would end the process. The query that is running,
  // or the next one, fails with the same news.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const storage = createStorageHealth(input.log)
  const dialect = new PostgresDialect({ pool: preparingPool(pool, storage.observe) })
  const db = new Kysely<Database>({ dialect })

  /** Kysely ends the pool only where it was used itself. */
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
