import {
  backupCluster,
  type DatabaseAddress,
  findCluster,
  startEmbeddedPostgres,
} from '@burgee/embedded-postgres'
import { connectDatabase, isDatabaseUnavailable } from '../platform/db/connect.ts'
import { listMigrations } from '../platform/db/stored-migrations.ts'
import type { Log } from '../platform/log/log.ts'

interface BackUpInput {
  readonly dataDir: string
  readonly file: string
  readonly version: string
  readonly created_at: string
  readonly log: Log
}

/**
 * Backs up the embedded database of a data folder into a new file, while the server runs or not. Returns the
 * size of the file, or null when the folder has no database.
 */
export async function backUp(input: BackUpInput): Promise<number | null> {
  const { dataDir, log } = input
  const found = await findCluster(dataDir)
  if (found === null) return null
  try {
    return await copy(input, found.connection)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    // The server is not running, so neither is its database.
    const cluster = await startEmbeddedPostgres({ dataDir, log })
    try {
      return await copy(input, cluster.connection)
    } finally {
      await cluster.close()
    }
  } finally {
    await found.close()
  }
}

async function copy(
  { created_at, dataDir, file, log, version }: BackUpInput,
  connection: DatabaseAddress,
): Promise<number> {
  const { close, db } = connectDatabase({ connection, max_connections: 1, log })
  const migrations = await listMigrations(db).finally(close)
  return await backupCluster({ dataDir, file, about: { created_at, version, migrations } })
}
