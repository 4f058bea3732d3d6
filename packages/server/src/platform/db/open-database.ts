import type { Config } from '../../config.ts'
import type { Log } from '../log.ts'
import {
  connectDatabase,
  type DatabaseConnection,
  isDatabaseUnavailable,
  type OpenDatabase,
} from './connect.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from './migrate.ts'

/** An external database may still be starting: it is waited for this long, in steps of 1 s. */
const WAIT_FOR_DATABASE_MS = 60_000
const RETRY_MS = 1_000

export interface MigratedDatabase extends OpenDatabase {
  readonly connection: DatabaseConnection
}

/** The configured database, running and migrated: embedded PostgreSQL or an external one (contract, section 1). */
export async function openDatabase(
  deps: { readonly log: Log },
  config: Pick<Config, 'database' | 'db_max_connections'>,
): Promise<MigratedDatabase> {
  const { database, db_max_connections: max_connections } = config
  const embedded =
    database.kind === 'embedded'
      ? await startEmbeddedPostgres({ data_dir: database.data_dir, log: deps.log, max_connections })
      : null
  const connection = database.kind === 'external' ? database.url : embedded?.connection
  if (connection === undefined) throw new Error('there is no database to connect to')
  const opened = connectDatabase({ connection, max_connections, log: deps.log })
  const close = async () => {
    await opened.close()
    await embedded?.close()
  }
  try {
    await migrateWhenReachable(deps.log, opened)
    return { ...opened, connection, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function migrateWhenReachable(log: Log, { db }: OpenDatabase): Promise<void> {
  const give_up_at = Date.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    try {
      await migrate({ db, log })
      return
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > give_up_at) throw error
      log.warn('the database is not reachable yet; trying again')
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
