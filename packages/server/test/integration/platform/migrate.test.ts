import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../../src/platform/db/connect.ts'
import { toClientConfig } from '../../../src/platform/db/database-connection.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { MigrationError } from '../../../src/platform/db/migration-error.ts'
import type { Log } from '../../../src/platform/log/log.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { isWaitingForALock } from '../../harness/is-waiting-for-a-lock.ts'
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

const write = (name: string, text: string, locks = '') =>
  writeFileSync(join(folder, name), `-- locks:${locks === '' ? '' : ` ${locks}`}\n${text}`)
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
    write('0002-second.sql', 'alter table first add column m int not null default 2;', 'first')
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

  it('a migration whose number is below one that was applied is refused', async () => {
    write('0002-second.sql', 'create table second (n int);')
    await migrateHere()
    write('0001-first.sql', 'create table first (n int);')
    await expect(migrateHere()).rejects.toThrow('has the migration 0002-second, and lacks 0001-first')
    expect(await names()).toEqual([{ name: '0002-second' }])
  })

  it('migrations are only the numbered SQL files of the folder', async () => {
    write('0001-first.sql', 'create table first (n int);')
    write('README.md', 'no SQL')
    write('0002-second.sql.bak', 'no SQL')
    await migrateHere()
    expect(await names()).toEqual([{ name: '0001-first' }])
  })
})

describe('the locks of migrations', () => {
  it('a migration without the line of its locks is refused, and names itself', async () => {
    writeFileSync(join(folder, '0001-first.sql'), 'create table first (n int);')
    await expect(migrateHere()).rejects.toThrow('0001-first.sql does not name its tables')
  })

  it('a migration waits behind a reader without holding anything, lets others through, and says so once', async () => {
    write('0001-first.sql', 'create table a_first (n int); create table b_second (n int);')
    await migrateHere()
    write('0002-second.sql', 'alter table b_second add column m int;', 'b_second, a_first')
    const reader = await holdTable('b_second', 'access share')
    const lines: object[] = []
    const migrated = migrate({ db: database.db, log: recordingLog(lines), random: () => 0 }, { folder })
    await eventually(async () => lines.length > 0)
    for (let written = 0; written < 5; written += 1) {
      await eventually(() => isWaitingForALock(database.pool))
      await database.pool.query('insert into a_first values (1)')
      await database.pool.query('insert into b_second values (1)')
    }
    expect(lines).toEqual([
      { work: 'the migration of the database', seconds: expect.any(Number) },
      'waits for a lock that another instance holds',
    ])
    await reader.end()
    await migrated
    expect(
      (await database.pool.query('select count(*)::int as n from b_second where m is null')).rows,
    ).toEqual([{ n: 5 }])
  })

  it('a migration is given up with what to do when its locks are not free for too long', async () => {
    write('0001-first.sql', 'create table first (n int);')
    await migrateHere()
    write('0002-second.sql', 'alter table first add column m int;', 'first')
    const reader = await holdTable('first', 'access share')
    const failed = migrate({ db: database.db, log, patienceMs: 300 }, { folder })
    await expect(failed).rejects.toThrow(MigrationError)
    await expect(failed).rejects.toThrow(/did not get its locks within 1 s.*end those sessions/)
    expect(await names()).toEqual([{ name: '0001-first' }])
    await reader.end()
    await migrateHere()
  })

  it('a migration is repeated when its locks together are late, although each is free in time', async () => {
    const tables = Array.from({ length: 8 }, (_, at) => `t${at}`)
    write('0001-first.sql', tables.map((name) => `create table ${name} (n int);`).join(' '))
    await migrateHere()
    write(
      '0002-second.sql',
      tables.map((name) => `alter table ${name} add column m int;`).join(' '),
      tables.join(', '),
    )
    // Each reader leaves while the next table is waited for: no wait is as long as a lock may take.
    const readers = await Promise.all(tables.map((name) => holdTable(name, 'access share')))
    const leaving = (async () => {
      for (const reader of readers) {
        await eventually(() => isWaitingForALock(database.pool))
        await delay(180)
        await reader.end()
      }
    })()
    await Promise.all([migrateHere(), leaving])
    expect(await names()).toHaveLength(2)
  })

  it('a migration whose file takes a lock that it does not name is repeated and not left waiting', async () => {
    write('0001-first.sql', 'create table first (n int); create table second (n int);')
    await migrateHere()
    write(
      '0002-second.sql',
      'alter table first add column m int; alter table second add column m int;',
      'first',
    )
    const reader = await holdTable('second', 'access share')
    const migrated = migrateHere()
    await eventually(() => isWaitingForALock(database.pool))
    await database.pool.query('select from first')
    await reader.end()
    await migrated
    expect(await names()).toHaveLength(2)
  })

  it('an instance that migrates while another one does waits for it without an open transaction', async () => {
    write('0001-first.sql', 'create table first (n int);')
    await migrateHere()
    write('0002-second.sql', 'alter table first add column m int;', 'first')
    const reader = await holdTable('first', 'access share')
    const instances = Array.from({ length: 3 }, () =>
      connectDatabase({ connection: database.connection, max_connections: 1, log }),
    )
    const migrated = Promise.all(instances.map(({ db }) => migrate({ db, log }, { folder })))
    await eventually(() => isWaitingForALock(database.pool))
    expect(await isWaitingForALock(database.pool, 2)).toBe(false)
    await reader.end()
    await migrated
    await Promise.all(instances.map((instance) => instance.close()))
    expect(await names()).toHaveLength(2)
  })
})

/** Opens a session that holds a lock on the table until it ends. */
async function holdTable(table: string, mode: 'access share'): Promise<pg.Client> {
  const client = new pg.Client(toClientConfig(database.connection))
  await client.connect()
  await client.query(`begin; lock table ${table} in ${mode} mode`)
  return client
}

/** A log that keeps the lines about waits. */
function recordingLog(lines: unknown[]): Log {
  const kept = silentLog()
  kept.info = (...line: unknown[]) => {
    if (String(line[1]).startsWith('waits')) lines.push(...line)
  }
  return kept
}
