import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@burgee/embedded-postgres'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { errorCode } from '../log/error-code.ts'
import { hideAddresses } from '../log/hide-addresses.ts'
import type { Log } from '../log/log.ts'
import type { Config } from '../settings/config.ts'
import { requireCertificateFiles } from './certificate-files.ts'
import {
  connectDatabase,
  type DatabaseConnection,
  DatabaseUnavailable,
  isDatabaseUnavailable,
  type OpenDatabase,
} from './connect.ts'
import { grantApplication } from './grant-application.ts'
import { migrate } from './migrate.ts'
import { MigrationError } from './migration-error.ts'
import { requireSeparateRoles } from './separate-roles.ts'

/** The wait for an external database that is still starting, in steps of 1 s. */
const WAIT_FOR_DATABASE_MS = 60_000
const RETRY_MS = 1_000
/**
 * The wait for running queries on close. A query that hangs must not prevent the embedded database from being
 * stopped.
 */
const POOL_CLOSE_MS = 1_500

/**
 * The connections for maintenance: a partition is created while dropping another one may wait for its
 * readers.
 */
const MAINTENANCE_CONNECTIONS = 2

export interface MigratedDatabase extends OpenDatabase {
  readonly connection: DatabaseConnection
  /** A connection as the owner of the tables. */
  readonly ownerConnection: DatabaseConnection
  /**
   * An open connection of the owner, for changes to tables while the server runs, such as creating and
   * dropping partitions.
   */
  readonly maintenance: OpenDatabase['db']
  /** Stops the embedded database immediately, whatever is still running. */
  abandon(): Promise<void>
}

interface OpenDeps {
  readonly log: Log
  /** Aborts the start: the promise rejects with the signal's reason once everything has stopped. */
  readonly signal: AbortSignal
}

/** Opens the configured database, embedded PostgreSQL or an external one, running and migrated. */
export async function openDatabase(
  deps: OpenDeps,
  config: Pick<Config, 'database' | 'dbMaxConnections'>,
): Promise<MigratedDatabase> {
  const { database, dbMaxConnections: max_connections } = config
  const { log } = deps
  if (database.kind === 'external') {
    for (const address of [database.url, database.ownerUrl]) {
      if (address !== null) requireCertificateFiles(address)
    }
  }
  const place =
    database.kind === 'embedded'
      ? await startEmbeddedPostgres({ ...deps, dataDir: database.dataDir, max_connections })
      : { connection: database.url, ownerConnection: database.ownerUrl, close: async () => undefined }
  const { connection } = place
  const ownerConnection = place.ownerConnection ?? connection
  const opened = connectDatabase({ connection, max_connections, log })
  const owner =
    place.ownerConnection === null
      ? opened
      : connectDatabase({ connection: ownerConnection, max_connections: MAINTENANCE_CONNECTIONS, log })
  const close = async () => {
    await withTimeout(Promise.all([opened.close(), owner.close()]), POOL_CLOSE_MS)
    await place.close()
  }
  try {
    if (owner === opened) await migrateWhenReachable(deps, ownerConnection)
    else {
      // Before the first migration: otherwise a role that is not the owner would own what it creates.
      const role = await untilReachable(deps, () => requireSeparateRoles(owner.db, opened.db))
      await migrateWhenReachable(deps, ownerConnection)
      await untilReachable(deps, () => grantApplication({ ...deps, owner: owner.db }, role))
    }
    return { ...opened, connection, ownerConnection, maintenance: owner.db, close, abandon: place.close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Migrates without a timeout: a large database, and waiting for another instance, may take long. */
async function migrateWhenReachable(deps: OpenDeps, connection: DatabaseConnection): Promise<void> {
  const { log } = deps
  const { close, db } = connectDatabase({ connection, max_connections: 1, log, longRunning: true })
  await untilReachable(deps, () => migrate({ ...deps, db }))
    .catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable || !isDatabaseUnavailable(error)) throw error
      throw new MigrationError(`the database could not be migrated: ${reasonOf(error)}`, error)
    })
    .finally(close)
}

/** Returns the message of the driver, such as that a certificate is not trusted. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  return hideAddresses(cause instanceof Error ? cause.message : String(cause))
}

async function untilReachable<T>({ log, signal }: OpenDeps, work: () => Promise<T>): Promise<T> {
  let giveUpAt: number | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      // From the first failure on: a migration that lost its connection may have taken longer.
      giveUpAt ??= performance.now() + WAIT_FOR_DATABASE_MS
      if (!isDatabaseUnavailable(error) || isDiskTrouble(error) || performance.now() > giveUpAt) throw error
      signal.throwIfAborted()
      log.warn({ reason: reasonOf(error) }, 'the database is not reachable yet; retrying')
      await delay(RETRY_MS, undefined, { signal })
    }
  }
}

/** Tests for a disk that is full or broken, which no wait heals. */
const isDiskTrouble = (error: unknown): boolean => {
  const code = errorCode(error)
  return code === '53100' || code === '58030'
}
