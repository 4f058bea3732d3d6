import { randomUUID } from 'node:crypto'
import { createQueryId } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listImpressions } from '../../../src/reporting/impressions/list-impressions.ts'
import { addUser } from '../../harness/add-user.ts'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { openEnvironment, type Reporting, reportingOf } from '../../reports/reporting.ts'

let server: TestServer
let reports: Reporting
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  reports = await openEnvironment(server)
})
afterAll(() => server.close())

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const item = (fields: object = {}) => ({ flag_key: 'checkout', user_id: 'ada', value: 'true', ...fields })
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()
const day = (timestamp: string): string => timestamp.slice(0, 10)

describe('POST /impressions', () => {
  it('impressions respond with 204 without a body, and are stored', async () => {
    const evaluated_at = '2026-01-02T03:04:05.678Z'
    const { body, status } = await reports.ingest([
      item({ context: { plan: 'pro', n: [1, null] }, evaluated_at }),
    ])
    expect({ body, status }).toEqual({ body: '', status: 204 })
    expect(await reports.list()).toEqual({
      items: [
        {
          id: expect.any(Number),
          flag_key: 'checkout',
          user_id: 'ada',
          value: 'true',
          context: { plan: 'pro', n: [1, null] },
          evaluated_at,
        },
      ],
      total: 1,
    })
  })

  it('impressions without optional fields are anonymous, without context, evaluated now', async () => {
    const before = Date.now()
    await reports.ingest([
      { flag_key: 'a', value: '' },
      { flag_key: 'a', value: '', user_id: null, context: null, evaluated_at: null },
    ])
    const { items } = await reports.list()
    expect(items).toHaveLength(2)
    for (const { context, evaluated_at, user_id } of items) {
      expect({ context, user_id }).toEqual({ context: null, user_id: null })
      expect(Date.parse(evaluated_at)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(evaluated_at)).toBeLessThanOrEqual(Date.now())
    }
  })

  it('a batch of impressions has 0 to 500 items, and 501 are 413 before they are read', async () => {
    expect((await reports.ingest([])).status).toBe(204)
    expect((await reports.ingest(Array.from({ length: 500 }, () => item()))).status).toBe(204)
    expect((await reports.ingest(Array.from({ length: 501 }, () => item()))).status).toBe(413)
    expect((await reports.ingest(Array.from({ length: 501 }, () => 'no item'))).status).toBe(413)
    expect((await reports.list()).total).toBe(500)
  })

  it.each([
    [[item(), { value: 'x' }], '/1/flag_key'],
    [[item(), item(), { flag_key: 'a' }], '/2/value'],
    [[item({ flag_key: '' })], '/0/flag_key'],
    [[item({ flag_key: 1 })], '/0/flag_key'],
    [[item({ flag_key: null })], '/0/flag_key'],
    [[item({ value: true })], '/0/value'],
    [[item({ value: null })], '/0/value'],
    [[item({ user_id: 7 })], '/0/user_id'],
    [[item({ context: [] })], '/0/context'],
    [[item({ context: 'x' })], '/0/context'],
    [[item({ evaluated_at: 'yesterday' })], '/0/evaluated_at'],
    [[item({ evaluated_at: 'infinity' })], '/0/evaluated_at'],
    [[item({ evaluated_at: 1_767_225_600_000 })], '/0/evaluated_at'],
    [[item(), null], '/1'],
    [[[]], '/0'],
  ])('impressions with %j are 422 with the index, and nothing is stored', async (items, path) => {
    const { body, status } = await reports.ingest(items)
    expect(status).toBe(422)
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
    expect((await reports.list()).total).toBe(0)
  })

  it.each([{}, item(), 'x', 1, null, true])(
    'impressions as %j, which is not an array, are 422',
    async (body) => {
      expect((await reports.ingest(JSON.stringify(body), 'admin')).status).toBe(415)
      const answer = await server.call({
        path: `/api/environments/${reports.environment_id}/impressions`,
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
      expect(answer.status).toBe(422)
    },
  )

  it('impressions without a body are 422, and invalid JSON is 400', async () => {
    const path = `/api/environments/${reports.environment_id}/impressions`
    const headers = { 'content-type': 'application/json' }
    expect((await server.call({ path, method: 'POST', headers })).status).toBe(422)
    expect((await server.call({ path, method: 'POST', body: '[', headers })).status).toBe(400)
    expect((await server.call({ path, method: 'POST', body: '[\\u0000]', headers })).status).toBe(400)
  })

  it('impressions of an unknown environment are 404', async () => {
    expect((await reportingOf(server, randomUUID()).ingest([item()])).status).toBe(404)
    expect((await reportingOf(server, 'production').ingest([item()])).status).toBe(404)
  })

  it('impressions accept unknown flags, and ignore unknown fields', async () => {
    await reports.ingest([
      item({ flag_key: 'nobody knows/it', id: 4, environment_id: randomUUID(), more: {} }),
    ])
    const { items } = await reports.list()
    expect(items[0]).toMatchObject({ flag_key: 'nobody knows/it' })
    expect(items[0].id).not.toBe(4)
  })

  it.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02t04:04:05+01:00',
    '2026-01-01T15:34:05.000-11:30',
    '2026-01-02 03:04:05Z',
  ])('impressions accept %s, as in RFC 3339', async (evaluated_at) => {
    expect((await reports.ingest([item({ evaluated_at })])).status).toBe(204)
    expect((await reports.list()).items[0].evaluated_at).toBe('2026-01-02T03:04:05.000Z')
  })

  it('impressions accept times of any year and leap seconds', async () => {
    const times = [
      '0001-01-01T00:00:00Z',
      '1600-02-29T12:00:00.123Z',
      '2016-12-31T23:59:60Z',
      '9999-12-31T23:59:59.999Z',
    ]
    await reports.ingest(times.map((evaluated_at) => item({ evaluated_at })))
    const { items } = await reports.list({ since_id: 0 })
    expect(items.map(({ evaluated_at }: { evaluated_at: string }) => evaluated_at)).toEqual([
      '0001-01-01T00:00:00.000Z',
      '1600-02-29T12:00:00.123Z',
      '2017-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ])
  })
})

describe('unusual text in impressions', () => {
  const stored = async (fields: object) => {
    const { status } = await reports.ingest([item(fields)])
    expect(status).toBe(204)
    return (await reports.list()).items[0]
  }

  it('value is cut at 8,192 characters, user_id at 1,024, flag_key at 100', async () => {
    const kept = await stored({
      value: 'v'.repeat(8_193),
      user_id: 'u'.repeat(1_025),
      flag_key: 'k'.repeat(101),
    })
    expect(kept.value).toBe('v'.repeat(8_192))
    expect(kept.user_id).toBe('u'.repeat(1_024))
    expect(kept.flag_key).toBe('k'.repeat(100))
  })

  it('a surrogate pair is one character and is not split', async () => {
    const kept = await stored({ value: '😀'.repeat(8_193), user_id: `x${'😀'.repeat(1_024)}` })
    expect(kept.value).toBe('😀'.repeat(8_192))
    expect(kept.user_id).toBe(`x${'😀'.repeat(1_023)}`)
  })

  it('a context of more than 8 KiB becomes null, one of 8 KiB does not', async () => {
    // {"a":"..."} is eight characters more than the text.
    expect((await stored({ context: { a: 'x'.repeat(8_192 - 8) } })).context).toEqual({
      a: 'x'.repeat(8_184),
    })
    expect((await stored({ context: { a: 'x'.repeat(8_192 - 7) } })).context).toBeNull()
    expect((await stored({ context: { a: 'é'.repeat(4_100) } })).context).toBeNull()
  })

  it('a context deeper than 32 levels becomes null', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
    expect((await stored({ context: nested(32) })).context).toEqual(nested(32))
    expect((await stored({ context: nested(33) })).context).toBeNull()
    const body = `[{"flag_key":"a","value":"b","context":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}]`
    const answer = await server.call({
      path: `/api/environments/${reports.environment_id}/impressions`,
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(204)
    expect((await reports.list()).items[0].context).toBeNull()
  })

  it('NUL and lone surrogates become U+FFFD, in contexts and their keys too', async () => {
    const kept = await stored({
      flag_key: 'a\0',
      value: '\0\ud800x\udc00 😀 \\u0000',
      user_id: '\udfff',
      context: { 'k\0': ['\ud83d', '😀'], __proto__x: 1 },
    })
    expect(kept).toMatchObject({
      flag_key: 'a\ufffd',
      value: '\ufffd\ufffdx\ufffd 😀 \\u0000',
      user_id: '\ufffd',
      context: { 'k\ufffd': ['\ufffd', '😀'], __proto__x: 1 },
    })
  })

  it('users and values that differ beyond what is kept count as equal', async () => {
    await reports.ingest([
      item({ user_id: `${'u'.repeat(1_024)}1`, value: `${'v'.repeat(8_192)}1` }),
      item({ user_id: `${'u'.repeat(1_024)}2`, value: `${'v'.repeat(8_192)}2` }),
    ])
    const [stats] = await reports.read('/impressions/stats')
    expect(stats).toMatchObject({ total: 2, unique_users: 1 })
  })

  it('a batch of the largest items is accepted, and more than 16 MiB is 413', async () => {
    const big = item({
      value: 'v'.repeat(8_192),
      user_id: 'u'.repeat(1_024),
      context: { a: 'x'.repeat(8_000) },
    })
    expect((await reports.ingest(Array.from({ length: 500 }, () => big))).status).toBe(204)
    expect((await reports.list()).total).toBe(500)
    expect((await reports.ingest([item({ value: 'v'.repeat(16 * 1024 * 1024) })])).status).toBe(413)
  })
})

describe('callers of reports', () => {
  const as = async (kind: string) => {
    const path = `/api/projects/${server.project.id}/keys`
    const { body } = await server.call({
      path,
      body: { name: kind, environment_id: reports.environment_id, kind },
    })
    return { bearer: body.key as string }
  }

  it('keys of any kind of the environment and editors may report; not viewers and keys of another environment', async () => {
    const editor = await addUser(server, { email: `editor-${randomUUID()}@example.com`, role: 'viewer' })
    const viewer = await addUser(server, { email: `viewer-${randomUUID()}@example.com`, role: 'viewer' })
    for (const [user, role] of [
      [editor, 'editor'],
      [viewer, 'viewer'],
    ] as const) {
      const path = `/api/projects/${server.project.id}/members`
      await server.call({ path, body: { user_id: user.id, role } })
    }
    const client = await as('client')
    const cases = [
      [await as('server'), 204],
      [client, 204],
      [{ cookie: editor.cookie }, 204],
      [{ cookie: viewer.cookie }, 403],
      [{ bearer: server.sdkKey }, 403],
      ['anonymous', 401],
    ] as const
    for (const [caller, status] of cases) {
      expect((await reports.ingest([item()], caller)).status).toBe(status)
      expect((await reports.track([{ event_key: 'a' }], caller)).status).toBe(status)
    }
    expect((await reports.list()).total).toBe(3)
    const path = `/api/environments/${reports.environment_id}/impressions`
    expect((await server.call({ path, as: client })).status).toBe(403)
    expect((await server.call({ path, as: { cookie: viewer.cookie } })).status).toBe(200)
  })

  it('a read_only token may not report, and a session only with the CSRF header', async () => {
    const { body } = await server.call({ path: '/api/tokens', body: { name: 'reader', scope: 'read_only' } })
    expect((await reports.ingest([item()], { bearer: body.token })).status).toBe(403)
    const path = `/api/environments/${reports.environment_id}/impressions`
    const answer = await server.call({
      path,
      body: [item()],
      as: 'anonymous',
      headers: { cookie: server.cookie },
    })
    expect(answer.status).toBe(403)
  })

  it('reports are checked in order: credential, environment, access, size, content', async () => {
    const too_many = Array.from({ length: 501 }, () => 1)
    const other = reportingOf(server, randomUUID())
    expect((await other.ingest(too_many, { bearer: 'sk_live_none' })).status).toBe(401)
    expect((await other.ingest(too_many)).status).toBe(404)
    expect((await reports.ingest(too_many, { bearer: server.sdkKey })).status).toBe(403)
    expect((await reports.ingest(too_many)).status).toBe(413)
    expect((await reports.ingest([1])).status).toBe(422)
  })

  it.each(['impressions', 'events'])(
    '%s accept browsers of any origin, and preflights without a credential',
    async (kind) => {
      const url = `${server.url}/api/environments/${reports.environment_id}/${kind}`
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
      const preflight = await fetch(url, { method: 'OPTIONS', headers })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
      expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
      const refused = await fetch(url, { method: 'POST' })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    },
  )
})

describe('GET /impressions', () => {
  const seed = async () => {
    const values = ['true', 'false']
    const items = Array.from({ length: 300 }, (_, index) =>
      item({
        flag_key: `flag-${index % 3}`,
        user_id: index % 5 === 0 ? null : `user-${index % 7}`,
        value: values[index % 2],
      }),
    )
    await reports.ingest(items.slice(0, 100))
    await reports.ingest(items.slice(100))
    return items
  }
  const ids = (page: { items: { id: number }[] }) => page.items.map(({ id }) => id)

  it('the list of impressions has the newest first, 50 by default, with the total', async () => {
    await seed()
    const page = await reports.list()
    expect(page.total).toBe(300)
    expect(page.items).toHaveLength(50)
    expect(ids(page)).toEqual([...ids(page)].sort((one, other) => other - one))
    expect(page.items[0]).toMatchObject({ flag_key: 'flag-2', value: 'false' })
  })

  it.each([
    ['1', 1],
    ['200', 200],
    ['201', 200],
    ['1000000000000', 200],
    ['0', 1],
    ['-5', 1],
  ])('the limit %s of impressions gives %i', async (limit, count) => {
    await seed()
    expect((await reports.list({ limit })).items).toHaveLength(count)
  })

  it('the offset of impressions skips, also beyond the end; a negative one is 0', async () => {
    await seed()
    const all = [
      ...ids(await reports.list({ limit: 200 })),
      ...ids(await reports.list({ limit: 200, offset: 200 })),
    ]
    expect(all).toHaveLength(300)
    expect(new Set(all).size).toBe(300)
    expect(ids(await reports.list({ limit: 5, offset: 120 }))).toEqual(all.slice(120, 125))
    expect(ids(await reports.list({ limit: 5, offset: 298 }))).toEqual(all.slice(298))
    expect(ids(await reports.list({ offset: 300 }))).toEqual([])
    expect(ids(await reports.list({ offset: '9007199254740993000' }))).toEqual([])
    expect(ids(await reports.list({ limit: 2, offset: -4 }))).toEqual(all.slice(0, 2))
  })

  it('the list of impressions filters by flag_key, user_id and value, exactly, alone and together, with the total', async () => {
    const items = await seed()
    const filters = { flag_key: 'flag-1', user_id: 'user-3', value: 'true' }
    for (let chosen = 0; chosen < 8; chosen += 1) {
      const query = Object.fromEntries(Object.entries(filters).filter((_, bit) => (chosen >> bit) & 1))
      const wanted = items.filter((each) =>
        Object.entries(query).every(([name, value]) => Reflect.get(each, name) === value),
      )
      const page = await reports.list({ ...query, limit: 200 })
      expect(page.total).toBe(wanted.length)
      expect(page.items).toHaveLength(Math.min(wanted.length, 200))
      expect(page.items[0]).toMatchObject(query)
      const rest = await reports.list({ ...query, limit: 200, offset: 3 })
      expect(ids(rest).slice(0, 10)).toEqual(ids(page).slice(3, 13))
      expect(rest.total).toBe(wanted.length)
    }
    for (const query of [
      { flag_key: 'FLAG-1' },
      { flag_key: 'flag' },
      { user_id: 'user' },
      { value: 'tru' },
      { value: '' },
    ]) {
      expect(await reports.list(query)).toEqual({ items: [], total: 0 })
    }
  })

  it('since_id gives impressions after it in the order of ids, ignores offset, and does not change total', async () => {
    await seed()
    const newest = ids(await reports.list({ limit: 200 }))
    const since_id = newest[20] ?? 0
    const page = await reports.list({ since_id, offset: 7 })
    expect(ids(page)).toEqual(newest.slice(0, 20).reverse())
    expect(page.total).toBe(300)
    expect(ids(await reports.list({ since_id, limit: 3 }))).toEqual(newest.slice(17, 20).reverse())
    const filtered = await reports.list({ since_id, flag_key: 'flag-0' })
    expect(filtered.items.every(({ flag_key }: { flag_key: string }) => flag_key === 'flag-0')).toBe(true)
    expect(filtered.total).toBe(100)
    expect(ids(await reports.list({ since_id: newest[0] ?? 0 }))).toEqual([])
    expect(ids(await reports.list({ since_id: '9007199254740993000' }))).toEqual([])
    expect(ids(await reports.list({ since_id: -1, limit: 200 }))).toHaveLength(200)
    const sinceUser = await reports.list({ since_id: 0, user_id: 'user-3', limit: 200 })
    expect(sinceUser.total).toBe(sinceUser.items.length)
  })

  it.each(['limit=x', 'offset=x', 'since_id=x', 'since_id=1.5', 'limit=1&limit=2', 'flag_key=%00'])(
    'the list of impressions is 422 with %s',
    async (query) => {
      const path = `/api/environments/${reports.environment_id}/impressions?${query}`
      expect((await server.call({ path })).status).toBe(422)
    },
  )

  it('the list of impressions excludes other environments', async () => {
    await seed()
    const other = await openEnvironment(server)
    expect(await other.list()).toEqual({ items: [], total: 0 })
    expect(await other.list({ since_id: 0 })).toEqual({ items: [], total: 0 })
    expect(await other.read('/impressions/stats')).toEqual([])
  })
})

describe('the list of impressions while reports arrive', () => {
  const filterOf = (filter: object = {}) => ({
    environment_id: reports.environment_id,
    receivedFrom: '2000-01-01',
    ...filter,
  })
  const newest = { limit: 10, offset: 0, since_id: null }

  it('a page of impressions has no gaps: count and rows are of one moment', async () => {
    await reports.ingest(['1', '2', '3'].map((value) => item({ value })))
    let hasMoreCome = false
    const db = server.database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!hasMoreCome) {
          hasMoreCome = true
          await reports.ingest([item({ value: '4' })])
        }
        return result
      },
    })
    const page = await listImpressions(db, filterOf(), newest)
    expect(hasMoreCome).toBe(true)
    expect(page.total).toBe(3)
    expect(page.items.map(({ value }) => value)).toEqual(['3', '2', '1'])
  })

  it.each([
    ['of a flag', { flag_key: 'rare' }],
    ['of a value', { value: 'rare' }],
    ['of a flag and a value', { flag_key: 'rare', value: 'rare' }],
    ['of a flag and a user', { flag_key: 'rare', user_id: 'ada' }],
  ])('the list of impressions searches no further than the last impression %s', async (_case, filter) => {
    await reports.ingest([item({ flag_key: 'rare', value: 'rare' }), item(), item(), item()])
    const parameters: unknown[][] = []
    const statements: string[] = []
    const db = server.database.db.withPlugin({
      transformQuery: ({ node }) => {
        const compiled = server.database.db.getExecutor().compileQuery(node, createQueryId())
        statements.push(compiled.sql)
        parameters.push([...compiled.parameters])
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const { items, total } = await listImpressions(db, filterOf(filter), newest)
    expect(items).toMatchObject([{ flag_key: 'rare' }])
    expect(total).toBe(1)
    expect(statements.at(-1)).toMatch(/ id <= \$\d/)
    expect(parameters.at(-1)).toContain(items[0]?.id)

    statements.length = 0
    const since_id = items[0]?.id ?? 0
    expect((await listImpressions(db, filterOf(filter), { ...newest, since_id })).items).toEqual([])
    expect(statements.filter((text) => text.includes('select id,'))).toEqual([])
  })
})

describe('GET /impressions/stats', () => {
  it('statistics have for each flag: total, true, false, users without anonymous ones, and the latest evaluation', async () => {
    await reports.ingest([
      item({ flag_key: 'b', user_id: 'ada', value: 'true', evaluated_at: '2026-01-01T00:00:00Z' }),
      item({ flag_key: 'b', user_id: 'ada', value: 'false', evaluated_at: '2026-01-03T00:00:00Z' }),
      item({ flag_key: 'b', user_id: 'eve', value: 'false', evaluated_at: '2026-01-02T00:00:00Z' }),
      item({ flag_key: 'b', user_id: null, value: 'False', evaluated_at: '2026-01-01T00:00:00Z' }),
    ])
    await reports.ingest([
      item({ flag_key: 'a', user_id: null, value: 'blue', evaluated_at: '2026-01-01T00:00:00Z' }),
    ])
    expect(await reports.read('/impressions/stats')).toEqual([
      {
        flag_key: 'a',
        total: 1,
        true_count: 0,
        false_count: 0,
        unique_users: 0,
        last_seen: '2026-01-01T00:00:00.000Z',
      },
      {
        flag_key: 'b',
        total: 4,
        true_count: 1,
        false_count: 2,
        unique_users: 2,
        last_seen: '2026-01-03T00:00:00.000Z',
      },
    ])
  })
})

describe('pages of statistics and activity', () => {
  // In the order of code units, beside characters that JSON escapes.
  const KEYS = ['A', 'Z', 'a', 'a"b\\c', 'b\nc', 'é', '木', '\u{1f600}']

  it.each(['/impressions/stats', '/impressions/activity?days=90'])(
    'pages of %s make up the whole list, in the order of keys',
    async (path) => {
      await reports.ingest(KEYS.map((flag_key) => item({ flag_key })).reverse())
      const whole: { flag_key: string }[] = await reports.read(path)
      expect(whole.map(({ flag_key }) => flag_key)).toEqual(KEYS)
      const join = path.includes('?') ? '&' : '?'
      const pages: unknown[] = []
      let next: string | null = ''
      while (next !== null) {
        const query: string = `${join}limit=3${next && `&cursor=${next}`}`
        const page: Answer = await server.call({
          path: `/api/environments/${reports.environment_id}${path}${query}`,
        })
        expect(page.body.length).toBeLessThanOrEqual(3)
        pages.push(...page.body)
        next = page.headers.get('x-next-cursor')
      }
      expect(pages).toEqual(whole)
    },
  )
})

describe('GET /impressions/exposure', () => {
  it('exposure counts impressions and users of each value, the most frequent first, and those of the flag', async () => {
    await reports.ingest([
      item({ value: 'blue', user_id: 'ada' }),
      item({ value: 'green', user_id: 'ada' }),
      item({ value: 'green', user_id: 'eve' }),
      item({ value: 'green', user_id: null }),
      item({ value: 'amber', user_id: 'eve' }),
    ])
    const exposure = await reports.read('/impressions/exposure?flag_key=checkout')
    expect(exposure).toMatchObject({
      flag_key: 'checkout',
      total_impressions: 5,
      total_users: 2,
      variants: [
        { value: 'green', impressions: 3, unique_users: 2 },
        { value: 'amber', impressions: 1, unique_users: 1 },
        { value: 'blue', impressions: 1, unique_users: 1 },
      ],
    })
  })

  it('the timeline of exposure is by day of evaluation, 14 days with today, and bounds nothing else', async () => {
    const times = [0, 1, 13, 14, 20, 89, 90, 400].map(daysAgo)
    await reports.ingest(times.map((evaluated_at) => item({ evaluated_at })))
    await reports.ingest([item({ evaluated_at: times[1] }), item({ evaluated_at: times[1], value: 'false' })])
    const read = (days: string) => reports.read(`/impressions/exposure?flag_key=checkout${days}`)
    const usual = await read('')
    expect(usual.total_impressions).toBe(10)
    expect(usual.timeline).toEqual([
      { day: day(times[2] ?? ''), value: 'true', count: 1 },
      { day: day(times[1] ?? ''), value: 'false', count: 1 },
      { day: day(times[1] ?? ''), value: 'true', count: 2 },
      { day: day(times[0] ?? ''), value: 'true', count: 1 },
    ])
    const days = async (query: string) => (await read(query)).timeline.length
    expect(await days('&days=14')).toBe(4)
    expect(await days('&days=1')).toBe(1)
    expect(await days('&days=0')).toBe(1)
    expect(await days('&days=-3')).toBe(1)
    expect(await days('&days=15')).toBe(5)
    expect(await days('&days=90')).toBe(7)
    expect(await days('&days=100000')).toBe(7)
    expect((await read('&days=1')).variants).toEqual(usual.variants)
  })

  it('exposure lists the 1,000 most frequent values, the others together, and totals of all', async () => {
    const values = Array.from({ length: 1_100 }, (_, n) => String(n).padStart(4, '0'))
    const batches = [values.slice(0, 500), values.slice(500, 1_000), values.slice(1_000), ['1099']]
    for (const batch of batches) {
      await reports.ingest(batch.map((value) => item({ value, user_id: value })))
    }
    const { timeline, total_impressions, total_users, variants } = await reports.read(
      '/impressions/exposure?flag_key=checkout',
    )
    expect({ total_impressions, total_users }).toEqual({ total_impressions: 1_101, total_users: 1_100 })
    const listed = variants.map(({ value }: { value: string }) => value)
    expect(listed).toEqual(['1099', ...values.slice(0, 999), '(other)'])
    expect(variants.at(-1)).toEqual({ value: '(other)', impressions: 100, unique_users: 100 })
    expect(timeline.map(({ value }: { value: string }) => value)).toEqual([
      '(other)',
      ...values.slice(0, 999),
      '1099',
    ])
  })

  it('exposure of an unknown flag is zeros and empty lists', async () => {
    expect(await reports.read('/impressions/exposure?flag_key=nobody')).toEqual({
      flag_key: 'nobody',
      total_impressions: 0,
      total_users: 0,
      variants: [],
      timeline: [],
    })
  })

  it('exposure needs a flag_key of at most 100 characters, and days that are a number', async () => {
    const status = async (query: string) =>
      (
        await server.call({
          path: `/api/environments/${reports.environment_id}/impressions/exposure?${query}`,
        })
      ).status
    expect(await status('')).toBe(422)
    expect(await status('flag_key=')).toBe(422)
    expect(await status(`flag_key=${'k'.repeat(101)}`)).toBe(422)
    expect(await status(`flag_key=${'k'.repeat(100)}`)).toBe(200)
    expect(await status('flag_key=a&days=x')).toBe(422)
  })
})

describe('GET /impressions/activity', () => {
  it('activity counts the impressions of each flag by day', async () => {
    await reports.ingest([
      item({ flag_key: 'b', evaluated_at: daysAgo(1) }),
      item({ flag_key: 'b', evaluated_at: daysAgo(1), value: 'false' }),
      item({ flag_key: 'b', evaluated_at: daysAgo(0) }),
      item({ flag_key: 'a', evaluated_at: daysAgo(20) }),
    ])
    expect(await reports.read('/impressions/activity')).toEqual([
      {
        flag_key: 'b',
        days: [
          { day: day(daysAgo(1)), count: 2 },
          { day: day(daysAgo(0)), count: 1 },
        ],
      },
    ])
    expect(await reports.read('/impressions/activity?days=90')).toHaveLength(2)
    expect(await reports.read('/impressions/activity?days=100000')).toHaveLength(2)
  })
})
