import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataKey } from '../../../src/platform/crypto/data-key.ts'
import { reportHash } from '../../../src/platform/crypto/report-hash.ts'
import { openUserHash } from '../../../src/reporting/ingest/open-user-hash.ts'
import { eventually } from '../../harness/eventually.ts'
import { isWaitingForALock } from '../../harness/is-waiting-for-a-lock.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { SESSION_SECRET, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { recountReports, storedRollups } from '../../reports/recount-reports.ts'
import { openEnvironment } from '../../reports/reporting.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const TABLES = ['impression_users', 'goal_users'] as const

/** Restores the database of an earlier version: with hashes that anyone who knows a user id can compute. */
async function unkey(): Promise<void> {
  const { pool } = server.database
  await pool.query('update workspace set user_hashes_keyed = false')
  await pool.query(
    `update impression_users u set user_hash = substr(sha256(convert_to(i.user_id, 'UTF8')), 1, 16)
     from impressions i where i.id = u.first_id and i.environment_id = u.environment_id`,
  )
  await pool.query(
    `update goal_users u set user_hash = substr(sha256(convert_to(e.user_id, 'UTF8')), 1, 16)
     from goal_events e where e.event_key = u.event_key and e.environment_id = u.environment_id and e.occurred_at = u.first_at`,
  )
}

const hashes = async (table: (typeof TABLES)[number]) => {
  const { rows } = await server.database.pool.query(`select user_hash from ${table} order by 1`)
  return rows.map(({ user_hash }) => (user_hash as Buffer).toString('hex'))
}
const users = Array.from({ length: 300 }, (_, n) => `user-${n}`)
const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString()

describe('user hashes', () => {
  it('user hashes are keyed with a secret of the installation', async () => {
    const reports = await openEnvironment(server)
    await reports.ingest([{ flag_key: 'a', value: 'x', user_id: 'ada' }])
    await reports.track([{ event_key: 'a', user_id: 'ada' }])
    const data_key = await openDataKey(server.database, [SESSION_SECRET])
    const key = data_key.derive('user hashes of reports')
    const expected = createHmac('sha256', key).update(reportHash('ada')).digest('hex').slice(0, 32)
    for (const table of TABLES) expect(await hashes(table)).toEqual([expected])
    expect(expected).not.toBe(reportHash('ada').toString('hex'))
  })

  it('user hashes of an earlier version are converted once, also when several instances start at the same time', async () => {
    const reports = await openEnvironment(server)
    await reports.ingest(
      users.map((user_id, n) => ({ flag_key: 'a', value: 'x', user_id, evaluated_at: at(n) })),
    )
    await reports.track(users.map((user_id, n) => ({ event_key: 'a', user_id, occurred_at: at(n) })))
    const before = await Promise.all(TABLES.map(hashes))
    await unkey()
    expect(await Promise.all(TABLES.map(hashes))).not.toEqual(before)

    const data_key = await openDataKey(server.database, [SESSION_SECRET])
    const { connection, db } = server.database
    const deps = { connection, db, log: silentLog(), data_key }
    await Promise.all([1, 2, 3].map(() => openUserHash(deps)))

    expect(await Promise.all(TABLES.map(hashes))).toEqual(before)
    await openUserHash(deps)
    expect(await Promise.all(TABLES.map(hashes))).toEqual(before)
    // Repeated reports are not counted again.
    await reports.ingest(users.map((user_id) => ({ flag_key: 'a', value: 'x', user_id })))
    const { environment_id } = reports
    expect(await storedRollups(server.database, environment_id)).toEqual(
      await recountReports(server.database, environment_id),
    )
  })

  it('the conversion of user hashes waits behind a reader without holding up others', async () => {
    await unkey()
    const { connection, db, pool } = server.database
    const reader = await pool.connect()
    await reader.query('begin; lock table goal_users in access share mode')
    const data_key = await openDataKey(server.database, [SESSION_SECRET])
    const opened = openUserHash({ connection, db, log: silentLog(), data_key })
    for (let read = 0; read < 3; read += 1) {
      await eventually(() => isWaitingForALock(pool))
      for (const table of TABLES) await pool.query(`select from ${table}`)
    }
    await reader.query('rollback')
    reader.release()
    await opened
    expect((await pool.query('select user_hashes_keyed from workspace')).rows).toEqual([
      { user_hashes_keyed: true },
    ])
  })
})
