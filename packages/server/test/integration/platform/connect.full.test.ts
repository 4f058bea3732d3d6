import { createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  connectDatabase,
  DatabaseUnavailable,
  isDatabaseUnavailable,
  uniqueViolation,
} from '../../../src/platform/db/connect.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { silentLog } from '../../harness/silent-log.ts'

const log = silentLog()
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('rows of the database', () => {
  it('a row has numbers for int8, ISO 8601 UTC strings for timestamps and values for jsonb', async () => {
    const { rows } = await sql`select 9007199254740991::int8 as big, array[1,2]::int4[] as list,
      timestamptz '2026-01-31 12:00:00.123456+02' as time, date '2026-01-31' as day,
      '{"a":[1,null]}'::jsonb as document, null::int8 as nothing, 0.5::float8 as half`.execute(database.db)
    expect(rows).toEqual([
      {
        big: 9007199254740991,
        list: [1, 2],
        time: '2026-01-31T10:00:00.123Z',
        day: '2026-01-31',
        document: { a: [1, null] },
        nothing: null,
        half: 0.5,
      },
    ])
  })

  it('a row has UTC timestamps also in a session of another time zone', async () => {
    const rows = await database.db.transaction().execute(async (trx) => {
      await sql`set local time zone 'Asia/Kolkata'`.execute(trx)
      return sql<{ time: string }>`select timestamptz '2026-01-31 12:00:00Z' as time`.execute(trx)
    })
    expect(rows.rows).toEqual([{ time: '2026-01-31T12:00:00.000Z' }])
  })

  it('a row is refused rather than rounded when an int8 exceeds a number', async () => {
    await expect(sql`select 9007199254740993::int8 as big`.execute(database.db)).rejects.toThrow(
      '9007199254740993',
    )
  })
})

describe('repeated statements', () => {
  it('a repeated statement runs as a named prepared statement, with the right values each time', async () => {
    const open = connectDatabase({ connection: database.connection, max_connections: 1, log })
    const answers: unknown[] = []
    for (const value of [1, 2, 3, 4]) {
      answers.push((await sql<{ n: number }>`select ${value}::int4 as n`.execute(open.db)).rows[0]?.n)
    }
    const { rows } = await open.pool.query('select statement from pg_prepared_statements')
    await open.close()
    expect(answers).toEqual([1, 2, 3, 4])
    expect(rows).toEqual([{ statement: 'select $1::int4 as n' }])
  })

  it('a repeated statement may fail and run again', async () => {
    const divide = (by: number) => sql<{ n: number }>`select 6 / ${by}::int4 as n`.execute(database.db)
    for (const by of [1, 0, 2, 0, 3]) {
      const outcome = await divide(by).then(
        ({ rows }) => rows[0]?.n,
        () => 'failed',
      )
      expect(outcome).toBe(by === 0 ? 'failed' : 6 / by)
    }
  })
})

describe('an unavailable database', () => {
  it('an unavailable database is reported when nothing listens', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
      })
    })
    const open = connectDatabase({ connection: `postgres://x@127.0.0.1:${port}/x`, max_connections: 1, log })
    const error = await failureOf(sql`select 1`.execute(open.db))
    await open.close()
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it('an unavailable database is reported when no connection becomes free within 5 s', async () => {
    const open = connectDatabase({ connection: database.connection, max_connections: 1, log })
    const only = await open.pool.connect()
    const error = await failureOf(sql`select 1`.execute(open.db))
    only.release()
    await open.close()
    expect(error).toBeInstanceOf(DatabaseUnavailable)
  })

  it('an unavailable database is reported when a connection is cut during a statement, and the pool recovers', async () => {
    const open = connectDatabase({ connection: database.connection, max_connections: 1, log })
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(open.db)
    const sleeping = failureOf(sql`select pg_sleep(60)`.execute(open.db))
    await eventually(async () => {
      const found = await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and query like '%pg_sleep%'`,
        [rows[0]?.pid],
      )
      return found.rows.length > 0
    })
    expect(isDatabaseUnavailable(await sleeping)).toBe(true)
    expect((await sql<{ one: number }>`select 1 as one`.execute(open.db)).rows).toEqual([{ one: 1 }])
    await open.close()
  })

  it('a connection that is cut between two statements of a transaction does not end the process', async () => {
    const open = connectDatabase({ connection: database.connection, max_connections: 1, log })
    const transaction = open.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      const pid = rows[0]?.pid
      await database.pool.query('select pg_terminate_backend($1)', [pid])
      await eventually(async () => {
        const { rows: left } = await database.pool.query('select 1 from pg_stat_activity where pid = $1', [
          pid,
        ])
        return left.length === 0
      })
      await sql`select 1`.execute(trx)
    })
    expect(isDatabaseUnavailable(await failureOf(transaction))).toBe(true)
    await open.close()
  })
})

describe('a statement that PostgreSQL gave up', () => {
  it('a transaction whose wait for a lock failed has that error, and its connection is used again', async () => {
    const open = connectDatabase({ connection: database.connection, max_connections: 1, log })
    await database.pool.query('create table held (n int)')
    const holder = await database.pool.connect()
    await holder.query('begin; lock table held in access exclusive mode')
    const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(open.db)).rows
    const before = await pid()
    const failed = open.db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '50ms'`.execute(trx)
      await sql`select from held`.execute(trx)
    })
    expect(await failureOf(failed)).toMatchObject({ code: '55P03' })
    expect(await pid()).toEqual(before)
    await holder.query('rollback')
    holder.release()
    await open.close()
  })

  it('a prepared statement whose columns a migration changed is unavailable once, and works again', async () => {
    const open = connectDatabase({ connection: database.connection, max_connections: 1, log })
    await database.pool.query('create table grown (n int)')
    const read = () => sql`select * from grown where n is distinct from ${1}::int`.execute(open.db)
    for (let time = 0; time < 3; time += 1) await read()
    await database.pool.query('alter table grown add column m int')
    expect(isDatabaseUnavailable(await failureOf(read()))).toBe(true)
    expect((await read()).rows).toEqual([])
    await open.close()
  })
})

describe('unique constraints', () => {
  it('a violated unique constraint has its name', async () => {
    await database.pool.query('create table once (n int constraint once_n_key unique)')
    await database.pool.query('insert into once values (1)')
    const error = await failureOf(sql`insert into once values (1)`.execute(database.db))
    expect(uniqueViolation(error)).toBe('once_n_key')
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})

describe('test databases', () => {
  it('test databases can be created at the same time, are migrated and independent', async () => {
    const both = await Promise.all([createTestDatabase(), createTestDatabase()])
    const [first, second] = both
    await first.pool.query('create table mine (n int)')
    const { rows } = await second.pool.query(
      `select to_regclass('mine') as mine, to_regclass('flags') as flags`,
    )
    expect(rows).toEqual([{ mine: null, flags: 'flags' }])
    const byUrl = connectDatabase({ connection: second.url, max_connections: 1, log })
    expect((await byUrl.pool.query('select current_database() as name')).rows).toEqual([
      { name: second.connection.database },
    ])
    await byUrl.close()
    await Promise.all(both.map((each) => each.drop()))
  })
})
