import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { toClientConfig } from '../../../src/platform/db/database-connection.ts'
import { MigrationError } from '../../../src/platform/db/migration-error.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { createTestDatabase, type TestDatabase, toUrl } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { silentLog } from '../../harness/silent-log.ts'

/** The lock of the instance that migrates, also in earlier versions of the server. */
const MIGRATION_LOCK = '3853314791062309107'
/** The sessions that try to get it. */
const TRYING = `from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_try_advisory_lock%'`

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase({ from: 'empty' })
})
afterEach(() => database.drop())

const open = () =>
  openDatabase(
    { log: silentLog(), signal: new AbortController().signal },
    {
      database: { kind: 'external', url: toUrl(database.connection), ownerUrl: null },
      dbMaxConnections: 2,
    },
  )

it('a start whose connection is cut before the migration connects again and migrates', async () => {
  const other = new pg.Client(toClientConfig(database.connection))
  await other.connect()
  await other.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  const opening = open()
  await eventually(async () => expect((await database.pool.query(`select ${TRYING}`)).rowCount).toBe(1))
  await database.pool.query(`select pg_terminate_backend(pid) ${TRYING}`)
  await other.end()
  const opened = await opening
  expect((await opened.pool.query('select workspace_name from workspace')).rowCount).toBe(1)
  await opened.close()
})

it('a start that cannot migrate for a reason that stays ends at once', async () => {
  await database.pool.query('create table workspace (n int)')
  const opening = open()
  await expect(opening).rejects.toThrow(MigrationError)
  await expect(opening).rejects.toThrow(
    'migration 0001-workspace-and-users failed: relation "workspace" already exists',
  )
})
