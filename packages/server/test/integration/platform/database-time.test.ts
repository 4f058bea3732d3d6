import { afterAll, beforeAll, expect, test } from 'vitest'
import { followDatabaseTime } from '../../../src/platform/db/follow-database-time.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { silentLog } from '../../harness/silent-log.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ from: 'empty' })
})
afterAll(() => database.drop())

const MINUTE_MS = 60_000

test("the database's time is known after followDatabaseTime", async () => {
  const times: number[] = []
  const following = await followDatabaseTime({
    db: database.db,
    log: silentLog(),
    onTime: (ms) => times.push(ms),
  })
  following.close()
  const { rows } = await database.pool.query('select clock_timestamp()::text as now')
  expect(times).toHaveLength(1)
  expect(Math.abs(Date.parse(rows[0].now) - (times[0] ?? 0))).toBeLessThan(MINUTE_MS)
})
