import type pg from 'pg'

/** Where a database is, in the parts that the embedded server hands out; `host` is a folder when it is a unix socket. */
export type DatabaseAddress = {
  host: string
  database: string
  user: string
  port?: number
  password?: string
}

/** A PostgreSQL URL or the parts of one. */
export type DatabaseConnection = string | DatabaseAddress

/** Connecting takes milliseconds; a pool that gives no connection for this long is starved (contract section 12). */
export const CONNECTION_TIMEOUT_MS = 5_000

export function toClientConfig(connection: DatabaseConnection): pg.ClientConfig {
  const where = typeof connection === 'string' ? { connectionString: connection } : connection
  return { ...where, keepAlive: true, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS }
}
