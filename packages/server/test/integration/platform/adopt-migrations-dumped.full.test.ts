import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDifference, readAdoptedMigrations } from '../../../src/platform/db/adopted-migrations.ts'
import { connectDatabase, type OpenDatabase } from '../../../src/platform/db/connect.ts'
import { describeSchema } from '../../../src/platform/db/describe-schema.ts'
import { listKnownMigrations, migrate } from '../../../src/platform/db/migrate.ts'
import { listMigrations } from '../../../src/platform/db/stored-migrations.ts'
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

  async function withDatabase(name: string, work: (database: OpenDatabase) => Promise<void>): Promise<void> {
    const connection = await postgres.createDatabase(name)
    const database = connectDatabase({ connection, max_connections: 2, log })
    await work(database).finally(database.close)
  }

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

  it('the earlier migrations make the schema whose hashes are stored, and it is adopted', async () => {
    await withDatabase('adopted', async ({ db }) => {
      await migrateAsBefore(db)
      const adopted = await readAdoptedMigrations()
      expect(findDifference(adopted, adopted.names.before, await describeSchema(db))).toBeNull()
      await migrate({ db, log })
      expect(await listMigrations(db)).toEqual(await listKnownMigrations())
    })
    expect(await postgres.dumpSchema('adopted')).toBe(await postgres.dumpSchema('present'))
  })
})
