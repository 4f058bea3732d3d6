import type { Config } from '../../config.ts'
import type { Log } from '../log.ts'
import { waitAtMost } from '../wait-at-most.ts'
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
/** A query that hangs must not keep the embedded database from being stopped. */
const POOL_CLOSE_MS = 1_500

export interface MigratedDatabase extends OpenDatabase {
  readonly connection: DatabaseConnection
  /** Stops the embedded database at once, whatever is still under way. */
  abandon(): Promise<void>
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
    await waitAtMost(POOL_CLOSE_MS, opened.close())
    await embedded?.close()
  }
  const abandon = async () => embedded?.close()
  try {
    await migrateWhenReachable(deps.log, connection)
    return { ...opened, connection, close, abandon }
  } catch (error) {
    await close()
    throw error
  }
}

/** Migrations of a large database, and the wait for another instance's, take the time that they take. */
async function migrateWhenReachable(log: Log, connection: DatabaseConnection): Promise<void> {
  const { close, db } = connectDatabase({ connection, max_connections: 1, log, patient: true })
  await untilReachable(log, () => migrate({ db, log })).finally(close)
}

async function untilReachable(log: Log, work: () => Promise<void>): Promise<void> {
  const give_up_at = performance.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > give_up_at) throw error
      log.warn('the database is not reachable yet; trying again')
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
