import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let flags: string
beforeAll(async () => {
  server = await startTestServer({ env: { DB_MAX_CONNECTIONS: '1', LOG_LEVEL: 'info' } })
  flags = `/api/environments/${server.environments.production}/flags`
})
afterAll(() => server.close())

const put = (index: number) => server.call({ path: flags, body: { key: `flag-${index}`, is_enabled: true } })

it('with one database connection many concurrent writes all succeed, in turn', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => put(index)))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

it('an exhausted pool gives 503 with Retry-After, never 500, and recovers afterwards', async () => {
  const answered: Answer[] = []
  const send = async (request: Promise<Answer>) => answered.push(await request)
  const sent = await server.database.db.transaction().execute(async (tx) => {
    // A write of this environment waits for its row, and holds the only connection.
    const id = server.environments.production
    await tx.selectFrom('environments').select('id').where('id', '=', id).forUpdate().execute()
    const writes = Array.from({ length: 20 }, (_, index) => send(put(index)))
    const reads = Array.from({ length: 20 }, () => send(server.call({ path: flags })))
    await eventually(() => answered.some(({ status }) => status === 503))
    return [...writes, ...reads]
  })
  await Promise.all(sent)

  const refused = answered.filter(({ status }) => status !== 200)
  for (const { body, headers, status } of refused) {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toEqual({ error: expect.any(String), retry_after_seconds: expect.any(Number) })
  }
  expect(refused).not.toEqual([])
  expect((await put(1)).status).toBe(200)
  expect(server.logged()).not.toContain('"level":"error"')
})

it('many concurrent large bodies all get responses, valid or not, and short ones meanwhile', async () => {
  const description = 'd'.repeat(20_000)
  // Every second one is invalid.
  const large = (index: number) => ({
    key: `large-${index}`,
    is_enabled: index % 2 === 0 || 'on',
    description,
  })
  const writes = Array.from({ length: 60 }, (_, index) => server.call({ path: flags, body: large(index) }))
  const short = put(1)
  const statuses = (await Promise.all(writes)).map(({ status }) => status)

  expect((await short).status).toBe(200)
  expect(new Set(statuses)).toEqual(new Set([200, 422]))
})
