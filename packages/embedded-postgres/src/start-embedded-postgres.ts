import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { refuseHalfRestored } from './backup/swap-folders.ts'
import { systemClock } from './clock.ts'
import { closeDataFolder } from './close-data-folder.ts'
import { clusterAddress } from './cluster-address.ts'
import { APPLICATION, OWNER, passwordOf } from './cluster-roles.ts'
import { CLUSTER_NAME, createCluster, DATABASE, removeInterruptedDrafts } from './create-cluster.ts'
import type { DatabaseAddress } from './database-address.ts'
import type { Log } from './log.ts'
import { postgresAccount } from './postgres-account.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { type PostgresSettings, postgresSettings } from './postgres-settings.ts'
import { prepareCluster } from './prepare-cluster.ts'
import { superviseCluster } from './supervise-cluster.ts'

export { ClusterRefused, DataDirInUse } from './take-cluster.ts'

const DEFAULT_MAX_CONNECTIONS = 10
const OWNER_ONLY = 0o700

/**
 * A running embedded PostgreSQL: the role that serves requests, and the one that owns the tables. `close`
 * shuts it down properly and resolves when it has ended.
 */
export type EmbeddedPostgres = {
  connection: DatabaseAddress
  ownerConnection: DatabaseAddress
  close(): Promise<void>
}

type EmbeddedInput = {
  dataDir: string
  log: Log
  /** The size of the application's pool. PostgreSQL allows some more connections. */
  max_connections?: number
  /** Parameters that override those of the embedded server, such as `fsync: 'off'` in tests. */
  settings?: PostgresSettings
  /** Aborts an unfinished start: the promise rejects with the signal's reason once everything has stopped. */
  signal?: AbortSignal
}

/**
 * Starts PostgreSQL in `<dataDir>/postgresql`, creates the cluster at the first start, and keeps it running
 * until `close`. It works as root and after a kill of the previous server, and throws `DataDirInUse` while
 * another server uses the folder. docs/decisions/0001-embedded-postgresql.md has the reasons for the design.
 */
export async function startEmbeddedPostgres(input: EmbeddedInput): Promise<EmbeddedPostgres> {
  const { log, signal = new AbortController().signal } = input
  const wanted = resolve(input.dataDir)
  const future = await postgresAccount({ log }, [join(wanted, CLUSTER_NAME), wanted])
  await mkdir(wanted, { recursive: true, mode: OWNER_ONLY })
  const dataDir = await realpath(wanted)
  await refuseHalfRestored(dataDir)
  const folder = join(dataDir, CLUSTER_NAME)
  const installed = await postgresBinaries({ log }, { account: future, dataDir })
  const entrance = await clusterAddress(dataDir)
  await createCluster({ account: future, binaries: installed }, { dataDir, signal })
  // Another server that started at the same moment may have created it, with the account that it chose.
  const account = await postgresAccount({ log }, [folder])
  const binaries =
    account?.uid === future?.uid ? installed : await postgresBinaries({ log }, { account, dataDir })
  await closeDataFolder({ log }, { account, binaries, dataDir })
  const where = await entrance.open(folder)
  const settings = postgresSettings({
    max_connections: input.max_connections ?? DEFAULT_MAX_CONNECTIONS,
    overrides: { ...where.settings, ...input.settings },
  })
  const { address } = where
  let secret = ''
  try {
    const supervised = await superviseCluster(
      { log, clock: systemClock, installation: { account, binaries } },
      { dataDir, folder, address, settings },
      {
        signal,
        async prepare({ client }) {
          await removeInterruptedDrafts(dataDir)
          secret = await prepareCluster({ log }, client, {
            dataDir,
            folder,
            account,
            address,
            database: DATABASE,
          })
        },
      },
    )
    const connect = (user: typeof APPLICATION | typeof OWNER): DatabaseAddress => ({
      ...address,
      database: DATABASE,
      user,
      password: passwordOf(secret, user),
    })
    return {
      connection: connect(APPLICATION),
      ownerConnection: connect(OWNER),
      close: () => supervised.close().finally(where.close),
    }
  } catch (error) {
    await where.close()
    throw error
  }
}
