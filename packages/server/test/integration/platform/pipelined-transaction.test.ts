import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pipelinedTransaction } from '../../../src/platform/db/pipelined-transaction.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ from: 'empty', max_connections: 1 })
  await sql`create table steps (step int primary key)`.execute(database.db)
})
beforeEach(async () => {
  await sql`truncate steps`.execute(database.db)
})
afterAll(() => database.drop())

const stepsOf = async () => {
  const { rows } = await sql<{ step: number }>`select step from steps order by step`.execute(database.db)
  return rows.map(({ step }) => step)
}

type Tx = Parameters<Parameters<typeof pipelinedTransaction>[1]>[0]
const insert = (tx: Tx, step: number) => sql`insert into steps values (${step}::int)`.execute(tx)
const unawaited = (statement: Promise<unknown>) => void statement.catch(() => undefined)
const lock = (tx: Tx) => sql`select step from steps for update`.execute(tx)

describe('a pipelined transaction', () => {
  it('statements that are not awaited are committed in their order', async () => {
    const result = await pipelinedTransaction(database.db, async (tx) => {
      await lock(tx)
      unawaited(insert(tx, 1))
      unawaited(sql`update steps set step = step + 10`.execute(tx))
      unawaited(insert(tx, 2))
      return 'done'
    })
    expect(result).toBe('done')
    expect(await stepsOf()).toEqual([2, 11])
  })

  it('an error of a statement that is not awaited is thrown, and nothing is stored', async () => {
    const running = pipelinedTransaction(database.db, async (tx) => {
      await lock(tx)
      unawaited(insert(tx, 1))
      unawaited(insert(tx, 1))
      unawaited(insert(tx, 2))
    })
    await expect(running).rejects.toMatchObject({ code: '23505' })
    expect(await stepsOf()).toEqual([])
  })

  it('an awaited statement after one that failed throws the error of the first', async () => {
    const running = pipelinedTransaction(database.db, async (tx) => {
      await lock(tx)
      await insert(tx, 1)
      unawaited(insert(tx, 1))
      await insert(tx, 2)
    })
    await expect(running).rejects.toMatchObject({ code: '23505' })
    expect(await stepsOf()).toEqual([])
  })

  it('a failure before a statement was sent rolls back as well', async () => {
    const running = pipelinedTransaction(database.db, async (tx, leave) => {
      await lock(tx)
      leave(insert(tx, 1))
      leave(Promise.reject(new Error('has no values')))
    })
    await expect(running).rejects.toThrow('has no values')
    expect(await stepsOf()).toEqual([])
  })

  it('an error after the response of a statement that was left is thrown', async () => {
    const running = pipelinedTransaction(database.db, async (tx, leave) => {
      await lock(tx)
      leave(insert(tx, 1).then(() => Promise.reject(new Error('is not as expected'))))
    })
    await expect(running).rejects.toThrow('is not as expected')
  })

  it('an error of the work rolls back what it has sent', async () => {
    const running = pipelinedTransaction(database.db, async (tx) => {
      await insert(tx, 1)
      unawaited(insert(tx, 2))
      throw new Error('changed its mind')
    })
    await expect(running).rejects.toThrow('changed its mind')
    expect(await stepsOf()).toEqual([])
  })

  it('an error of the first statements rolls back, and the connection serves the next transaction', async () => {
    const running = pipelinedTransaction(database.db, async (tx) => {
      await Promise.all([sql`select step from missing`.execute(tx), lock(tx)])
    })
    await expect(running).rejects.toMatchObject({ code: '42P01' })
    await pipelinedTransaction(database.db, async (tx) => void (await insert(tx, 3)))
    expect(await stepsOf()).toEqual([3])
  })

  it('a constraint that is checked at the commit refuses it', async () => {
    await sql`create table parents (id int primary key)`.execute(database.db)
    await sql`create table children (parent int references parents deferrable initially deferred)`.execute(
      database.db,
    )
    const running = pipelinedTransaction(database.db, async (tx) => {
      await lock(tx)
      unawaited(sql`insert into children values (1)`.execute(tx))
    })
    await expect(running).rejects.toMatchObject({ code: '23503' })
    const { rows } = await sql`select from children`.execute(database.db)
    expect(rows).toEqual([])
  })

  it('a statement after the end is refused', async () => {
    const kept = await pipelinedTransaction(database.db, async (tx) => {
      await lock(tx)
      return tx
    })
    await expect(insert(kept, 4)).rejects.toThrow('the transaction has ended')
    expect(await stepsOf()).toEqual([])
  })

  it('work without a statement needs no transaction', async () => {
    expect(await pipelinedTransaction(database.db, async () => 5)).toBe(5)
  })
})
