import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../../src/platform/db/connect.ts'
import { MigrationError, migrate } from '../../../src/platform/db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { silentLog } from '../../harness/silent-log.ts'

const log = silentLog()
let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await createTestDatabase({ from: 'empty' })
  folder = mkdtempSync(join(tmpdir(), 'burgee-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const migrateHere = () => migrate({ db: database.db, log }, { folder })
const names = async () => (await database.pool.query('select name from kysely_migration order by name')).rows

describe('migrations', () => {
  it('migrations create every table in an empty database, and a second start changes nothing', async () => {
    await migrate({ db: database.db, log })
    await database.pool.query(`update workspace set workspace_name = 'kept'`)
    await migrate({ db: database.db, log })
    expect((await database.pool.query('select workspace_name from workspace')).rows).toEqual([
      { workspace_name: 'kept' },
    ])
  })

  it('migrations run once when several instances start together', async () => {
    write('0001-first.sql', 'create table first (n int); insert into first values (1); select pg_sleep(0.2);')
    write('0002-second.sql', 'alter table first add column m int not null default 2;')
    const instances = Array.from({ length: 6 }, () =>
      connectDatabase({ connection: database.connection, max_connections: 2, log }),
    )
    await Promise.all(instances.map(({ db }) => migrate({ db, log }, { folder })))
    await Promise.all(instances.map((instance) => instance.close()))
    expect((await database.pool.query('select n, m from first')).rows).toEqual([{ n: 1, m: 2 }])
    expect(await names()).toEqual([{ name: '0001-first' }, { name: '0002-second' }])
  })

  it('migrations run in the order of their numbers and keep existing rows', async () => {
    write('0001-first.sql', 'create table first (n int); insert into first values (1);')
    await migrateHere()
    await database.pool.query('insert into first values (2)')
    write('0003-third.sql', 'update first set m = n * 10;')
    write('0002-second.sql', 'alter table first add column m int;')
    await migrateHere()
    expect((await database.pool.query('select n, m from first order by n')).rows).toEqual([
      { n: 1, m: 10 },
      { n: 2, m: 20 },
    ])
  })

  it('failed migrations leave nothing and report which and why', async () => {
    write('0001-first.sql', 'create table first (n int);')
    write('0002-broken.sql', 'create table second (n int); insert into nowhere values (1);')
    const failed = migrateHere()
    await expect(failed).rejects.toThrow(MigrationError)
    await expect(failed).rejects.toThrow(/0002-broken.*nowhere/)
    expect((await database.pool.query(`select to_regclass('second') as second`)).rows).toEqual([
      { second: null },
    ])
    write('0002-broken.sql', 'create table second (n int);')
    await migrateHere()
    expect(await names()).toEqual([{ name: '0001-first' }, { name: '0002-broken' }])
  })

  it('migrations of a newer server stop this one with a clear line', async () => {
    write('0001-first.sql', 'create table first (n int);')
    write('0002-second.sql', 'create table second (n int);')
    await migrateHere()
    rmSync(join(folder, '0002-second.sql'))
    const refused = migrateHere()
    await expect(refused).rejects.toThrow(MigrationError)
    await expect(refused).rejects.toThrow(/newer version of Burgee \(0002-second\)/)
  })

  it('migrations are only the numbered SQL files of the folder', async () => {
    write('0001-first.sql', 'create table first (n int);')
    write('README.md', 'no SQL')
    write('0002-second.sql.bak', 'no SQL')
    await migrateHere()
    expect(await names()).toEqual([{ name: '0001-first' }])
  })
})
