import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pruneBatchNames } from '../../../src/reporting/ingest/batch-queries.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { openEnvironment, type Reporting } from '../../reports/reporting.ts'

let server: TestServer
let reports: Reporting
beforeAll(async () => {
  server = await startTestServer({})
})
beforeEach(async () => {
  reports = await openEnvironment(server)
})
afterAll(() => server.close())

const impression = (flag_key = 'f') => ({ flag_key, value: 'true', user_id: 'ada' })

function send(
  name: string | null,
  body: unknown,
  { as = 'admin', kind = 'impressions', query = '' }: { as?: 'admin'; kind?: string; query?: string } = {},
) {
  const path = `/api/environments/${reports.environment_id}/${kind}${query}`
  return server.call({
    path,
    method: 'POST',
    body,
    as,
    headers: name === null ? {} : { 'x-burgee-batch': name },
  })
}

async function newKey(): Promise<string> {
  const path = `/api/projects/${server.project.id}/keys`
  const { body } = await server.call({
    path,
    body: { name: `batches ${randomUUID()}`, environment_id: reports.environment_id },
  })
  return body.key
}

const sendWithKey = (key: string, name: string, body: unknown) =>
  fetch(`${server.url}/api/environments/${reports.environment_id}/impressions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-burgee-batch': name },
    body: JSON.stringify(body),
  })

const total = async () => (await reports.list()).total

async function namesKept(): Promise<number> {
  const { rows } = await server.database.pool.query(
    'select count(*)::int as count from report_batches where environment_id = $1',
    [reports.environment_id],
  )
  return rows[0].count
}

describe('a named batch of reports', () => {
  it('a batch that is sent again is 204 and stored once, whatever its body', async () => {
    const name = `${randomUUID()}.0`
    expect((await send(name, [impression(), impression()])).status).toBe(204)
    expect((await send(name, [impression(), impression()])).status).toBe(204)
    expect((await send(name, [impression('other')])).status).toBe(204)
    expect(await total()).toBe(2)
    expect(await reports.read('/impressions/stats')).toMatchObject([{ flag_key: 'f' }])
  })

  it('the name may be in the address, and is the same in upper case', async () => {
    const sender = randomUUID()
    await send(null, [impression()], { query: `?batch=${sender}.7` })
    await send(null, [impression()], { query: `?batch=${sender.toUpperCase()}.7` })
    await send(`${sender}.7`, [impression()])
    expect(await total()).toBe(1)
    await send(`${sender}.8`, [impression()])
    expect(await total()).toBe(2)
  })

  it('goal events are stored once too, and a batch without a name each time', async () => {
    const name = `${randomUUID()}.1`
    const goal = { event_key: 'order', user_id: 'ada' }
    for (const each of [name, name, null, null]) await send(each, [goal], { kind: 'events' })
    expect(await reports.read('/events/keys')).toMatchObject([{ event_key: 'order', total: 3 }])
  })

  it('concurrent repetitions among other batches are stored once', async () => {
    const names = Array.from({ length: 20 }, (_, number) => `${randomUUID()}.${number}`)
    const answers = await Promise.all(
      [...names, ...names.toReversed(), ...names].map((name) => send(name, [impression()])),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    const unnamed = await Promise.all([
      send(names[3] ?? null, [impression()]),
      send(null, [impression('new')]),
    ])
    expect(unnamed.map(({ status }) => status)).toEqual([204, 204])
    expect(await total()).toBe(21)
    const ids = (await reports.list({ limit: 200 })).items.map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(21)
  })

  it('another key and another environment have names of their own', async () => {
    const name = `${randomUUID()}.0`
    const [one, two] = [await newKey(), await newKey()]
    for (const key of [one, two, one]) expect((await sendWithKey(key, name, [impression()])).status).toBe(204)
    expect(await total()).toBe(2)
    reports = await openEnvironment(server)
    await send(name, [impression()])
    expect(await total()).toBe(1)
  })

  it.each([
    'x',
    randomUUID(),
    `${randomUUID()}.`,
    `${randomUUID()}.-1`,
    `${randomUUID()}.01`,
    `${randomUUID()}.1e3`,
    `${randomUUID()}.1234567890123456`,
    `${'g'.repeat(36)}.1`,
    `urn:uuid:${randomUUID()}.1`,
  ])('the name %s is 422 and nothing is stored', async (name) => {
    for (const answer of [
      await send(name, [impression()]),
      await send(null, [impression()], { query: `?batch=${encodeURIComponent(name)}` }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.details).toEqual([
        { path: '/batch', message: 'must be <uuid>.<number>, with a number of at most 15 digits' },
      ])
    }
    expect(await total()).toBe(0)
  })

  it('a refused batch and an empty one leave no name behind', async () => {
    const name = `${randomUUID()}.0`
    expect((await send(name, [{ flag_key: 'f' }])).status).toBe(422)
    expect((await send(name, [])).status).toBe(204)
    expect(await namesKept()).toBe(0)
    await send(name, [impression()])
    expect(await total()).toBe(1)
  })

  it('a name of an unknown environment is 404', async () => {
    const path = `/api/environments/${randomUUID()}/impressions?batch=${randomUUID()}.0`
    expect((await server.call({ path, method: 'POST', body: [impression()] })).status).toBe(404)
  })

  it('names older than 24 hours are removed, and a repetition then counts again', async () => {
    const [old, recent] = [`${randomUUID()}.0`, `${randomUUID()}.0`]
    for (const name of [old, recent]) await send(name, [impression()])
    await server.database.pool.query(
      "update report_batches set stored_at = now() - interval '24 hours 1 second' where sender = $1",
      [old.slice(0, 36)],
    )
    await pruneBatchNames(server.database.db, 1_000)
    expect(await namesKept()).toBe(1)
    for (const name of [old, recent]) await send(name, [impression()])
    expect(await total()).toBe(3)
  })

  it('the newest 10,000 names of a key are kept', async () => {
    const key = await newKey()
    const sender = randomUUID()
    await sendWithKey(key, `${sender}.0`, [impression()])
    await server.database.pool.query(
      `insert into report_batches (environment_id, reporter, sender, number, stored_at)
       select environment_id, reporter, sender, n, now() - interval '1 hour' from report_batches,
         generate_series(1, 10500) as n where environment_id = $1`,
      [reports.environment_id],
    )
    const fresh = randomUUID()
    for (let from = 0; from < 500; from += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => sendWithKey(key, `${fresh}.${from + at}`, [impression()])),
      )
    expect(await namesKept()).toBeLessThanOrEqual(10_499)
    expect(await namesKept()).toBeGreaterThanOrEqual(10_000)
    const before = await total()
    await sendWithKey(key, `${sender}.0`, [impression()])
    expect(await total()).toBe(before)
  })
})
