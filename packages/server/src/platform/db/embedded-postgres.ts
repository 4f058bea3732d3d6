import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { DatabaseAddress } from './database-connection.ts'
import { type ClusterAddress, clusterAddress } from './embedded/cluster-address.ts'
import { createDatabase } from './embedded/cluster-lock.ts'
import {
  CLUSTER_NAME,
  createCluster,
  EMBEDDED_USER,
  removeInterruptedDrafts,
} from './embedded/create-cluster.ts'
import { postgresAccount } from './embedded/postgres-account.ts'
import { postgresBinaries } from './embedded/postgres-binaries.ts'
import { type PostgresSettings, postgresSettings } from './embedded/postgres-settings.ts'
import { superviseCluster } from './embedded/supervise-cluster.ts'

export { DataDirInUse } from './embedded/take-cluster.ts'

/** The application's database inside the cluster. */
const DATABASE = 'burgee'
const DEFAULT_MAX_CONNECTIONS = 10
const OWNER_ONLY = 0o700

/** PostgreSQL's account reaches a copy of its programs; everything else in there is closed to others by its own mode. */
const OTHERS_MAY_PASS = 0o711

/** A running embedded PostgreSQL. `close` shuts it down properly and resolves when it is gone. */
export type EmbeddedPostgres = { connection: DatabaseAddress; close(): Promise<void> }

/**
 * Starts PostgreSQL on `<data_dir>/postgresql`, making the cluster at the first start, and keeps it running until `close`. Works as
 * root and after a kill of the previous server; throws `DataDirInUse` while another server runs on the folder. The reasons for how
 * it is done are in docs/decisions/0001-embedded-postgresql.md.
 */
export async function startEmbeddedPostgres(input: {
  data_dir: string
  log: Log
  /** Size of the application's pool; PostgreSQL allows some more. */
  max_connections?: number
  /** Parameters that differ from the embedded server's own, such as `fsync: 'off'` in tests. */
  settings?: PostgresSettings
}): Promise<EmbeddedPostgres> {
  const { log } = input
  const wanted = resolve(input.data_dir)
  const account = await postgresAccount([join(wanted, CLUSTER_NAME), wanted])
  await mkdir(wanted, { recursive: true, mode: account === null ? OWNER_ONLY : OTHERS_MAY_PASS })
  const data_dir = await realpath(wanted)
  const folder = join(data_dir, CLUSTER_NAME)
  const binaries = await postgresBinaries({ log }, { account, data_dir })
  const installation = { account, binaries }
  const entrance: ClusterAddress = await clusterAddress(data_dir)
  await createCluster(installation, { data_dir, password_file: entrance.password_file })
  const where = await entrance.open(folder)
  const settings = postgresSettings({
    max_connections: input.max_connections ?? DEFAULT_MAX_CONNECTIONS,
    overrides: { ...where.settings, ...input.settings },
  })
  const address = { ...where.address, user: EMBEDDED_USER }
  try {
    const supervised = await superviseCluster(
      { log, clock: systemClock, installation },
      { data_dir, folder, address, settings },
      async (session) => {
        await removeInterruptedDrafts(data_dir)
        await createDatabase(session.client, DATABASE)
      },
    )
    const close = () => supervised.close().finally(where.close)
    return { connection: { ...address, database: DATABASE }, close }
  } catch (error) {
    await where.close()
    throw error
  }
}
