import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDifference, readAdoptedMigrations } from '../../../src/platform/db/adopted-migrations.ts'
import { connectDatabase, type OpenDatabase } from '../../../src/platform/db/connect.ts'
import type { DatabaseAddress } from '../../../src/platform/db/database-connection.ts'
import { describeSchema } from '../../../src/platform/db/describe-schema.ts'
import { listKnownMigrations, migrate } from '../../../src/platform/db/migrate.ts'
import { listMigrations } from '../../../src/platform/db/stored-migrations.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { describeRest } from '../../harness/describe-rest.ts'
import { migrateAsBefore } from '../../harness/first-migrations.ts'
import {
  findInstalledPostgres,
  type InstalledPostgres,
  startInstalledPostgres,
} from '../../harness/installed-postgres.ts'
import { silentLog } from '../../harness/silent-log.ts'

/** The oldest version that the server supports. */
const VERSION = 15
const LATER = 8

const log = silentLog()
const folder = findInstalledPostgres(VERSION)
if (folder === null)
  process.stderr.write(
    `skipped "the migrations on PostgreSQL ${VERSION}": postgresql-${VERSION} is not installed\n`,
  )

describe.skipIf(folder === null)(`the migrations on PostgreSQL ${VERSION}`, () => {
  let postgres: InstalledPostgres
  beforeAll(async () => {
    postgres = await startInstalledPostgres(folder ?? '')
  })
  afterAll(() => postgres.close())

  const withDatabase = async (name: string, work: (database: OpenDatabase) => Promise<void>) =>
    withConnection(await postgres.createDatabase(name), work)
  const restoreSchema = async (name: string, pool: OpenDatabase['pool']) =>
    void (await pool.query(await postgres.dumpSchema(name)))

  it('a new database is dumped as one that the earlier migrations made, line for line', async () => {
    const rest: object[] = []
    await withDatabase('earlier', async ({ db, pool }) => {
      await migrateAsBefore(db, { later: LATER })
      rest.push(await describeRest(pool))
    })
    await withDatabase('present', async ({ db, pool }) => {
      await migrate({ db, log })
      rest.push(await describeRest(pool))
    })
    expect(await postgres.dumpSchema('present')).toBe(await postgres.dumpSchema('earlier'))
    expect(rest[1]).toEqual(rest[0])
  })

  it('a database of the earlier migrations that was dumped is adopted where it is restored, also by a newer PostgreSQL', async () => {
    await withDatabase('before', ({ db }) => migrateAsBefore(db))
    const newer = await createTestDatabase({ from: 'empty' })
    const places = [await postgres.createDatabase('restored'), newer.connection]
    for (const connection of places) {
      await withConnection(connection, ({ pool }) => restoreSchema('before', pool))
      await withConnection(connection, ({ db }) => expectAdoptable(db))
    }
    await newer.drop()
  })

  it('the earlier migrations make the schema whose hashes are stored, and it is adopted', async () => {
    await withDatabase('adopted', async ({ db }) => {
      await migrateAsBefore(db)
      await expectAdoptable(db)
      await migrate({ db, log })
      expect(await listMigrations(db)).toEqual(await listKnownMigrations())
    })
    expect(await postgres.dumpSchema('adopted')).toBe(await postgres.dumpSchema('present'))
  })
})

async function withConnection(
  connection: DatabaseAddress,
  work: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const database = connectDatabase({ connection, max_connections: 1, log })
  await work(database).finally(database.close)
}

async function expectAdoptable(db: OpenDatabase['db']): Promise<void> {
  const adopted = await readAdoptedMigrations()
  expect(findDifference(adopted, adopted.names.before, await describeSchema(db))).toBeNull()
}
