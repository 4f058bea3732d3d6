import type { DatabaseAddress } from '@burgee/embedded-postgres'
import type pg from 'pg'

export type { DatabaseAddress } from '@burgee/embedded-postgres'

/** A PostgreSQL URL or its parts. */
export type DatabaseConnection = string | DatabaseAddress

/**
 * The wait for a connection. Connecting takes milliseconds; a longer wait means that the pool is exhausted.
 */
const CONNECTION_TIMEOUT_MS = 5_000

export function toClientConfig(connection: DatabaseConnection): pg.ClientConfig {
  const where = typeof connection === 'string' ? { connectionString: connection } : connection
  return { ...where, keepAlive: true, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS }
}
