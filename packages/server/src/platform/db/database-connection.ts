import type pg from 'pg'

/**
 * The address of a database in parts, as the embedded server provides it. `host` is a folder for a unix
 * socket.
 */
export type DatabaseAddress = {
  host: string
  database: string
  user: string
  port?: number
  password?: string
}

/** A PostgreSQL URL or its parts. */
export type DatabaseConnection = string | DatabaseAddress

/**
 * The wait for a connection. Connecting takes milliseconds; a longer wait means that the pool is exhausted.
 */
export const CONNECTION_TIMEOUT_MS = 5_000

export function toClientConfig(connection: DatabaseConnection): pg.ClientConfig {
  const where = typeof connection === 'string' ? { connectionString: connection } : connection
  return { ...where, keepAlive: true, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS }
}
