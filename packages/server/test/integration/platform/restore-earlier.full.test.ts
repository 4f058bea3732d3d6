import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BackupRefused, startEmbeddedPostgres } from '@burgee/embedded-postgres'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { backUp } from '../../../src/admin/back-up.ts'
import { restore } from '../../../src/admin/restore.ts'
import { connectDatabase } from '../../../src/platform/db/connect.ts'
import { grantApplication } from '../../../src/platform/db/grant-application.ts'
import { listKnownMigrations } from '../../../src/platform/db/migrate.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { listMigrations } from '../../../src/platform/db/stored-migrations.ts'
import { migrateAsBefore } from '../../harness/first-migrations.ts'
import { silentLog } from '../../harness/silent-log.ts'

const LAST = '0067-seen-user-removals'

const log = silentLog()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'burgee-restore-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a backup of the earlier migrations is restored and adopted, and one that lacks some is refused', async () => {
  const made = await makeBackups()
  const target = join(folder, 'target')

  const refused = restore({ dataDir: target, file: made.lacking, isReplacing: false, log })
  await expect(refused).rejects.toThrow(BackupRefused)
  await expect(refused).rejects.toThrow(
    `the backup has 43 of the 44 migrations of commit 8824eeda (${LAST} is missing): restore it with that commit, start it once, and then start this version`,
  )
  expect(readdirSync(target)).toEqual([])

  await restore({ dataDir: target, file: made.whole, isReplacing: false, log })
  const opened = await openDatabase(
    { log, signal: new AbortController().signal },
    { database: { kind: 'embedded', dataDir: target }, dbMaxConnections: 2 },
  )
  expect(await listMigrations(opened.db)).toEqual(await listKnownMigrations())
  expect((await opened.pool.query('select slug from projects')).rows).toEqual([{ slug: 'shop' }])
  await opened.close()
})

/** Backs up a database of the earlier migrations twice: before the last of them, and after two later ones. */
async function makeBackups() {
  const dataDir = join(folder, 'source')
  const files = { lacking: join(folder, 'lacking.backup'), whole: join(folder, 'whole.backup') }
  const about = { dataDir, version: '0.1.0', created_at: '2026-11-25T00:00:00.000Z', log }
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } })
  const owner = connectDatabase({ connection: postgres.ownerConnection, max_connections: 1, log })
  await migrateAsBefore(owner.db, { missing: [LAST] })
  await grantApplication({ owner: owner.db, log }, postgres.connection.user)
  await owner.pool.query(
    `insert into projects (id, name, slug) values ('00000000-0000-4000-8000-000000000001', 'Shop', 'shop')`,
  )
  await backUp({ ...about, file: files.lacking })
  await migrateAsBefore(owner.db, { later: 2 })
  await backUp({ ...about, file: files.whole })
  await owner.close()
  await postgres.close()
  return files
}
