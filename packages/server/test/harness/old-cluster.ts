import { once } from 'node:events'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresAccount } from '../../../embedded-postgres/src/postgres-account.ts'
import { postgresBinaries } from '../../../embedded-postgres/src/postgres-binaries.ts'
import { openForChild, spawnProgram } from '../../../embedded-postgres/src/postgres-program.ts'
import { postgresSettings } from '../../../embedded-postgres/src/postgres-settings.ts'
import { startPostmaster } from '../../../embedded-postgres/src/postmaster.ts'
import { connectDatabase } from '../../src/platform/db/connect.ts'
import { eventually } from './eventually.ts'
import { migrateAsBefore } from './first-migrations.ts'
import { silentLog } from './silent-log.ts'

const log = silentLog()

/**
 * Creates a data folder like Burgee 0.1: PostgreSQL needs no password, and its superuser owns every table.
 * `statements` run on the migrated database.
 */
export async function makeOldCluster(
  dataDir: string,
  { account, statements }: { readonly account: PostgresAccount; readonly statements: readonly string[] },
): Promise<void> {
  const cluster = join(dataDir, 'postgresql')
  await mkdir(cluster, { mode: 0o700 })
  if (account !== null) await chown(cluster, account.uid, account.gid)
  const installation = { account, binaries: await postgresBinaries({ log }, { account, dataDir }) }
  const opened = await openForChild(account, cluster)
  const [folder = cluster] = opened.paths
  const args = ['-D', folder, '-U', 'burgee', '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8']
  const initdb = spawnProgram(installation, 'initdb', [...args, '--locale=C'], opened.handles)
  await once(initdb, 'exit')
  await opened.close()
  const settings = postgresSettings({ max_connections: 10, overrides: { fsync: 'off' } })
  const postmaster = await startPostmaster({ log, installation }, { cluster, settings })
  const address = { host: cluster, port: 5432, user: 'burgee' }
  await eventually(() =>
    run({ ...address, database: 'postgres' }, ['create database burgee']).then(() => true),
  )
  const { close, db } = connectDatabase({
    connection: { ...address, database: 'burgee' },
    max_connections: 1,
    log,
  })
  await migrateAsBefore(db).finally(close)
  await run({ ...address, database: 'burgee' }, statements)
  await postmaster.stop()
}

async function run(connection: pg.ClientConfig, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end().catch(() => undefined)
  }
}
