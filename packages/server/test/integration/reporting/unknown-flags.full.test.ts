import { randomUUID } from 'node:crypto'
import { ACK_UNKNOWN_MAX, UNKNOWN_FLAGS_MAX } from '@burgee/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../../sdk/src/index.ts'
import { pruneUnknownFlags } from '../../../src/reporting/unknown-flags/index.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createKey } from '../../reports/client-key.ts'
import { openEnvironment } from '../../reports/reporting.ts'

let server: TestServer
let twin: TestServer
let environment_id: string
let key: { bearer: string }
let client: { bearer: string }

/** The time within which an unknown flag is listed after its first evaluation. */
const VISIBLE_MS = 70_000

beforeAll(async () => {
  server = await startTestServer()
  twin = await startTestServer({ database: server.database })
})
beforeEach(async () => {
  ;({ environment_id } = await openEnvironment(server))
  key = await createKey(server, environment_id, 'server')
  client = await createKey(server, environment_id, 'client')
})
afterAll(async () => {
  await twin.close()
  await server.close()
})

const path = (rest: string) => `/api/environments/${environment_id}${rest}`
const ack = (body: unknown, as: { bearer: string } = key, on = server) =>
  on.call({ path: '/sdk/ack', method: 'POST', body, as })
const report = async (unknown: unknown, as = key, on = server) =>
  expect((await ack({ unknown }, as, on)).status).toBe(204)
const list = async () => {
  const answer = await server.call({ path: path('/unknown-flags') })
  expect(answer.status).toBe(200)
  return answer.body
}
const keysOf = async () => (await list()).map(({ flag_key }: { flag_key: string }) => flag_key)
const createFlag = async (body: object, env = environment_id) => {
  const answer = await server.call({
    path: `/api/environments/${env}/flags`,
    body: { is_enabled: true, ...body },
  })
  expect(answer.status).toBe(200)
}
const patchFlag = (flag_key: string, body: object) =>
  server.call({ path: path(`/flags/${flag_key}`), method: 'PATCH', body })
const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => [`${prefix}-${n}`, 1] as const)
const expire = (flag_key: string) =>
  server.database.db
    .updateTable('unknown_flags')
    .set({ last_seen: new Date(Date.now() - 31 * 24 * 60 * 60_000).toISOString() })
    .where('environment_id', '=', environment_id)
    .where('flag_key', '=', flag_key)
    .execute()
const reportFull = async (prefix: string, count: number, as = key) => {
  for (let from = 0; from < count; from += ACK_UNKNOWN_MAX) {
    await report(names(Math.min(ACK_UNKNOWN_MAX, count - from), `${prefix}-${from}`), as)
  }
}

describe('reports of unknown flags', () => {
  it('counts evaluations by key, from keys of every kind and over all instances', async () => {
    await report([
      ['checkout', 3],
      ['sarch', 1],
    ])
    await report([['checkout', 2]], client, twin)
    const flags = await list()
    expect(flags).toMatchObject([
      { flag_key: 'checkout', count: 5, app: null, sdk: null, because: null },
      { flag_key: 'sarch', count: 1, because: null },
    ])
    // An id that no client has.
    expect((await ack({ unknown: [['sarch', 1]], client: 'no id' })).status).toBe(204)
    expect((await ack({ unknown: [['sarch', 1]], client: randomUUID() })).status).toBe(204)
    expect((await list())[1]).toMatchObject({ flag_key: 'sarch', count: 3, app: null })
    expect(flags[0].last_seen >= flags[0].first_seen).toBe(true)
  })

  it('many acknowledgments at the same time lose no count', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => report([[`busy-${n % 3}`, 1]], key, n % 2 ? twin : server)),
    )
    expect((await list()).map(({ count }: { count: number }) => count)).toEqual([20, 20, 20])
  })

  it('ignores flags that exist, and leaves out those that are created later', async () => {
    await createFlag({ key: 'there' })
    await report([
      ['there', 5],
      ['later', 5],
    ])
    expect(await keysOf()).toEqual(['later'])
    await createFlag({ key: 'later' })
    expect(await list()).toEqual([])
  })

  it('stores no impression and no exposure', async () => {
    await report([['checkout', 3]])
    expect((await server.call({ path: path('/impressions') })).body).toEqual({ items: [], total: 0 })
    expect((await server.call({ path: path('/impressions/stats') })).body).toEqual([])
  })

  it('accepts what confirms revisions beside them', async () => {
    const reserved = { client: 'a-client', applied: [[7, 1.5]] }
    expect((await ack({ ...reserved, unknown: [['checkout', 1]] })).status).toBe(204)
    expect((await ack(reserved)).status).toBe(204)
    expect((await ack({})).status).toBe(422)
    expect(await keysOf()).toEqual(['checkout'])
  })

  it.each<[string, unknown]>([
    ['a list instead of an object', [['checkout', 1]]],
    ['no number', { unknown: [['checkout']] }],
    ['a third item', { unknown: [['checkout', 1, 1]] }],
    ['a count of zero', { unknown: [['checkout', 0]] }],
    ['a fraction', { unknown: [['checkout', 1.5]] }],
    ['an empty key', { unknown: [['', 1]] }],
    ['a long key', { unknown: [['x'.repeat(101), 1]] }],
    ['too many keys', { unknown: names(ACK_UNKNOWN_MAX + 1, 'k') }],
    ['revisions as texts', { applied: [['7', 1]] }],
  ])('a body with %s is 422', async (_title, body) => {
    expect((await ack(body)).status).toBe(422)
  })

  it('characters that the database cannot store are replaced, as in other reports', async () => {
    await report([['a\u0000b', 1]])
    expect(await keysOf()).toEqual(['a\ufffdb'])
  })

  it('a body of more than 8 KiB is 413', async () => {
    expect((await ack({ client: 'x'.repeat(9_000) })).status).toBe(413)
  })

  it('pages of any origin may send it', async () => {
    const answer = await fetch(`${server.url}/sdk/ack`, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('odd keys are counted as they are and can be dismissed', async () => {
    await report([['two words/ü?', 1]])
    expect(await keysOf()).toEqual(['two words/ü?'])
    const at = path(`/unknown-flags/${encodeURIComponent('two words/ü?')}`)
    expect((await server.call({ path: at, method: 'DELETE' })).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await server.call({ path: at, method: 'DELETE' })).status).toBe(404)
  })

  it('a flag write goes on while unknown flags are stored', async () => {
    await createFlag({ key: 'there' })
    const stored = await server.database.db.transaction().execute(async (tx) => {
      await tx.selectFrom('environments').selectAll().where('id', '=', environment_id).forUpdate().execute()
      // The environment is locked, and the report does not wait for it.
      await report([['checkout', 1]])
      return keysOf()
    })
    expect(stored).toEqual(['checkout'])
  })
})

describe('programs that evaluate unknown flags', () => {
  const evaluate = (flag_key: string, as = key) =>
    server.call({ path: `/ofrep/v1/evaluate/flags/${encodeURIComponent(flag_key)}`, body: {}, as })

  it('evaluations with OFREP are counted, over the fast and the ordinary path', async () => {
    await createFlag({ key: 'new-checkout' })
    await createFlag({ key: 'hidden', client_visible: false })
    const keys = ['', 'new-chekout', 'new-chekout', 'two words/ü?', 'x'.repeat(100), 'hidden']
    const statuses: number[] = []
    for (const [n, flag_key] of keys.entries())
      statuses.push((await evaluate(flag_key, n === 1 ? key : client)).status)
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404])
    const flags = await eventually(async () => {
      const found = await list()
      return found.length === 3 && found[0].count === 2 && found
    })
    expect(flags[0]).toMatchObject({
      flag_key: 'new-chekout',
      count: 2,
      because: { reason: 'did_you_mean', flag_key: 'new-checkout' },
    })
    expect(flags.map(({ flag_key }: { flag_key: string }) => flag_key)).not.toContain('hidden')
    expect((await server.call({ path: path('/impressions') })).body).toEqual({ items: [], total: 0 })
  })

  it('a program that tries many keys is counted with a bounded number of them', async () => {
    const twice = [...names(ACK_UNKNOWN_MAX, 'many'), ...names(ACK_UNKNOWN_MAX, 'more')]
    const strict = await startTestServer({ database: server.database })
    try {
      for (const [flag_key] of twice) {
        const at = `/ofrep/v1/evaluate/flags/${flag_key}`
        expect((await strict.call({ path: at, body: {}, as: client })).status).toBe(404)
      }
    } finally {
      // What is pending is stored before the server ends.
      await strict.close()
    }
    const kept = await keysOf()
    expect(kept.length).toBeGreaterThanOrEqual(ACK_UNKNOWN_MAX)
    expect(kept).toContain('many-0')
  })

  it('a flag that the SDK does not have is listed, with the reason', async () => {
    await createFlag({ key: 'new-checkout' })
    const program = createClient({ url: server.url, sdkKey: key.bearer, appName: 'shop' })
    await program.connect()
    try {
      expect(program.isEnabled('new-chekout', 'ann', {})).toBe(false)
      const [flag] = await eventually(async () => {
        const found = await list()
        return found.length > 0 && found
      }, VISIBLE_MS)
      expect(flag).toMatchObject({
        flag_key: 'new-chekout',
        count: 1,
        app: 'shop',
        sdk: expect.stringMatching(/^js\//),
        because: { reason: 'did_you_mean', flag_key: 'new-checkout' },
      })
      // A report without a client keeps the program that is known.
      await report([['new-chekout', 1]])
      expect(await list()).toMatchObject([{ flag_key: 'new-chekout', count: 2, app: 'shop' }])
    } finally {
      await program.close()
    }
  })
})

describe('the bounds of unknown flags', () => {
  it('an environment keeps 1,000 keys, and expired ones make room', async () => {
    await reportFull('key', UNKNOWN_FLAGS_MAX)
    await report([
      ['one-more', 1],
      ['key-0-0', 1],
    ])
    const full = await keysOf()
    expect(full).toHaveLength(UNKNOWN_FLAGS_MAX)
    expect(full).not.toContain('one-more')
    expect((await list())[0]).toMatchObject({ flag_key: 'key-0-0', count: 2 })
    await expire('key-0-1')
    await report([['one-more', 1]])
    expect(await keysOf()).toContain('one-more')
    expect(await keysOf()).not.toContain('key-0-1')
  })

  it('keys for browsers fill at most half of it', async () => {
    await reportFull('page', UNKNOWN_FLAGS_MAX, client)
    expect(await keysOf()).toHaveLength(UNKNOWN_FLAGS_MAX / 2)
    await report([['program', 1]])
    expect(await keysOf()).toContain('program')
  })

  it('a key is listed for 30 days after its last report and then removed', async () => {
    await report([
      ['old', 1],
      ['young', 1],
    ])
    await expire('old')
    expect(await keysOf()).toEqual(['young'])
    expect(await pruneUnknownFlags(server.database.db, 10)).toBe(1)
    const rows = await server.database.db
      .selectFrom('unknown_flags')
      .select('flag_key')
      .where('environment_id', '=', environment_id)
      .execute()
    expect(rows).toEqual([{ flag_key: 'young' }])
  })

  it('an acknowledgment of a client key counts as one report of its budget', async () => {
    const strict = await startTestServer({
      database: server.database,
      env: { CLIENT_REPORTS_PER_MINUTE: '2' },
    })
    try {
      await report([['a', 1]], client, strict)
      await report([['a', 1]], client, strict)
      expect((await ack({ unknown: [['a', 1]] }, client, strict)).status).toBe(429)
    } finally {
      await strict.close()
    }
  })

  it('the list is paged by limit and cursor', async () => {
    await report([
      ['a', 3],
      ['b', 2],
      ['c', 1],
    ])
    const first = await server.call({ path: path('/unknown-flags?limit=2') })
    expect(first.body.map(({ flag_key }: { flag_key: string }) => flag_key)).toEqual(['a', 'b'])
    const cursor = first.headers.get('x-next-cursor') ?? ''
    const second = await server.call({
      path: path(`/unknown-flags?limit=2&cursor=${encodeURIComponent(cursor)}`),
    })
    expect(second.body.map(({ flag_key }: { flag_key: string }) => flag_key)).toEqual(['c'])
  })
})

describe('the reason why a flag is unknown', () => {
  it('an archived flag, with the time and the person', async () => {
    await createFlag({ key: 'gone' })
    const archived = await server.call({ path: path('/flags/gone/archive'), method: 'POST' })
    expect(archived.status).toBe(200)
    await report([['gone', 1]])
    const [flag] = await list()
    expect(flag.because).toEqual({
      reason: 'archived',
      at: archived.body.archived_at,
      by: 'ada@example.com',
    })
  })

  it('a deleted flag, with the time and the person', async () => {
    await createFlag({ key: 'gone' })
    await patchFlag('gone', { description: 'x' })
    await server.call({ path: path('/flags/gone'), method: 'DELETE' })
    await report([['gone', 1]])
    const [flag] = await list()
    expect(flag.because).toMatchObject({ reason: 'deleted', by: 'ada@example.com' })
    expect(Date.parse(flag.because.at)).toBeGreaterThan(0)
  })

  it('a flag of other environments of the project', async () => {
    await createFlag({ key: 'elsewhere-only' }, server.environments.staging)
    await report([['elsewhere-only', 1]])
    const [flag] = await list()
    expect(flag.because).toEqual({
      reason: 'other_environments',
      environments: [{ id: server.environments.staging, name: 'Staging' }],
    })
  })

  it('the flag with the nearest key', async () => {
    await createFlag({ key: 'new-checkout' })
    await createFlag({ key: 'new-checkou' })
    await report([
      ['new-chekout', 2],
      ['something-else', 1],
    ])
    const flags = await list()
    expect(flags.map(({ because }: { because: unknown }) => because)).toEqual([
      { reason: 'did_you_mean', flag_key: 'new-checkout' },
      null,
    ])
  })
})
