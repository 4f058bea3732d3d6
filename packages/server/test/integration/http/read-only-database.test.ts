import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let flags: string
beforeAll(async () => {
  server = await startTestServer()
  flags = `/api/environments/${server.environments.production}/flags`
})
afterAll(() => server.close())

const put = (key: string) => server.call({ path: flags, body: { key, is_enabled: true } })
const ready = async () => {
  const { headers, status } = await server.call({ path: '/ready', as: 'anonymous' })
  expect(headers.get('retry-after')).toBe(status === 503 ? '1' : null)
  return status
}

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { pool } = server.database
  const { rows } = await pool.query('select current_database() as name')
  await pool.query(
    `begin read write; alter database ${rows[0].name} set default_transaction_read_only = ${value}; commit`,
  )
  // Open sessions keep the old value.
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

test('with a read-only database writes and /ready are 503, reads continue, and writes work again afterwards', async () => {
  expect(await put('before')).toMatchObject({ status: 200 })
  expect(await ready()).toBe(200)

  await setReadOnly('on')
  const refused = await eventually(async () => {
    const answer = await put('meanwhile')
    return answer.body.error.includes('read-only') && answer
  })
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await eventually(async () => (await ready()) === 503)
  expect((await server.call({ path: flags })).status).toBe(200)

  await setReadOnly('off')
  await eventually(async () => (await put('after')).status === 200)
  await eventually(async () => (await ready()) === 200)
  const keys = (await server.call({ path: flags })).body.map(({ key }: { key: string }) => key)
  expect(keys).toEqual(['after', 'before'])
})
