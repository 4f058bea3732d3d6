import { flagEndpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReplyCheck } from '../../harness/check-reply.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let flags: string
const checkReply = createReplyCheck(({ path }) => path)

beforeAll(async () => {
  server = await startTestServer()
  flags = `/api/environments/${server.environments.staging}/flags`
  for (const flag of SEEDED) {
    const body = { is_enabled: true, ...flag }
    expect((await server.call({ path: flags, body })).status).toBe(200)
  }
  for (const key of ['old-banner', 'Old_Search']) {
    const body = { archived_at: '2026-01-01T00:00:00Z' }
    expect((await server.call({ method: 'PATCH', path: `${flags}/${key}`, body })).status).toBe(200)
  }
})
afterAll(() => server.close())

const SEEDED = [
  { key: 'zebra', description: 'Stripes, 100% black_and\\white', tags: ['animals', 'a', 'x%'] },
  { key: 'Zebra', description: null, tags: ['Animals'], owner_email: 'Ann@Example.com' },
  { key: '_first', description: 'FÜR ALLE', tags: [], owner_email: 'ann@example.COM' },
  {
    key: 'old-banner',
    description: 'Winter sale',
    tags: ['sale', 'animals'],
    owner_email: 'ann@example.com',
  },
  { key: 'Old_Search', tags: ['a b', '"quoted"', 'naïve 🎉'], owner_email: 'team "x"' },
  {
    key: 'full',
    description: 'line\nbreak "quoted" 🎉  ',
    flag_type: 'json',
    default_value: { z: 1, a: [null, true, 1.5e-7, 'x'], __proto_: {} },
    disabled_value: 'off',
    rollout_percentage: 0,
    rules: [
      { attribute: 'a', operator: 'equals', values: ['x'], variant: { v: 1 } },
      { segment_key: 'unknown' },
    ],
    variants: [{ weight: 2, value: [1] }],
    prerequisites: [{ flag_key: 'zebra', required_value: true }],
    tags: ['sale', 'sale'],
    owner_email: 'bo@example.com',
  },
]

/** Checks responses of this endpoint against the contract here: the database encodes them. */
async function list(query = ''): Promise<{ key: string }[]> {
  const { body, headers, status } = await server.call({ path: `${flags}${query}` })
  expect({ status, body }).toMatchObject({ status: 200 })
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  checkReply(flagEndpoints.listFlags, status, body)
  return body
}

const keysOf = async (filters: Record<string, string>) =>
  (await list(`?${new URLSearchParams(filters)}`)).map(({ key }) => key)

describe('GET flags', () => {
  it('the list of flags has every flag, archived ones included, by key in code unit order', async () => {
    const keys = (await list()).map(({ key }) => key)
    expect(keys).toEqual(['Old_Search', 'Zebra', '_first', 'full', 'old-banner', 'zebra'])
  })

  it('the list of flags has each flag like its GET, without its warnings', async () => {
    const listed = await list()
    expect(listed.length).toBeGreaterThan(0)
    for (const flag of listed) {
      const { warnings: _, ...single } = (await server.call({ path: `${flags}/${flag.key}` })).body
      expect(flag).toEqual(single)
    }
  })

  it('the list of an environment without flags is an empty array', async () => {
    const { body, status } = await server.call({
      path: `/api/environments/${server.environments.development}/flags`,
    })
    expect({ status, body }).toEqual({ status: 200, body: [] })
  })

  it('the list of flags has only those of its environment', async () => {
    const production = `/api/environments/${server.environments.production}/flags`
    await server.call({ path: production, body: { key: 'elsewhere', is_enabled: true, tags: ['animals'] } })
    expect(await keysOf({ q: 'elsewhere' })).toEqual([])
  })
})

describe('the filters of GET flags', () => {
  it.each([
    [{ archived: 'true' }, ['Old_Search', 'old-banner']],
    [{ archived: 'false' }, ['Zebra', '_first', 'full', 'zebra']],
    [{ tag: 'animals' }, ['old-banner', 'zebra']],
    [{ tag: 'Animals' }, ['Zebra']],
    [{ tag: 'sale' }, ['full', 'old-banner']],
    [{ tag: 'sal' }, []],
    [{ tag: 'x%' }, ['zebra']],
    [{ tag: '%' }, []],
    [{ tag: '"quoted"' }, ['Old_Search']],
    [{ tag: 'naïve 🎉' }, ['Old_Search']],
    [{ tag: '' }, []],
    [{ owner_email: 'ANN@example.com' }, ['Zebra', '_first', 'old-banner']],
    [{ owner_email: 'ann@example' }, []],
    [{ owner_email: 'ann@example_com' }, []],
    [{ owner_email: 'TEAM "X"' }, ['Old_Search']],
    [{ q: 'ZEB' }, ['Zebra', 'zebra']],
    [{ q: 'old' }, ['Old_Search', 'old-banner']],
    [{ q: 'winter SALE' }, ['old-banner']],
    [{ q: 'für' }, ['_first']],
    [{ q: '🎉' }, ['full']],
    [{ q: '"quoted"' }, ['full']],
    [{ q: '0%' }, ['zebra']],
    [{ q: 'z%a' }, []],
    [{ q: '_' }, ['Old_Search', '_first', 'zebra']],
    [{ q: 'd\\w' }, ['zebra']],
    [{ q: '\\' }, ['zebra']],
    [{ q: 'animals' }, []],
    [{ q: '' }, ['Old_Search', 'Zebra', '_first', 'full', 'old-banner', 'zebra']],
    [{ q: "'; drop table flags; --" }, []],
  ] as [Record<string, string>, string[]][])('the filter %o gives %o', async (filters, expected) => {
    expect(await keysOf(filters)).toEqual(expected)
  })

  it('filters of flags combine', async () => {
    expect(await keysOf({ owner_email: 'ann@example.com', archived: 'false' })).toEqual(['Zebra', '_first'])
    expect(
      await keysOf({ owner_email: 'ann@example.com', tag: 'animals', q: 'BANNER', archived: 'true' }),
    ).toEqual(['old-banner'])
    expect(await keysOf({ tag: 'sale', q: 'zebra' })).toEqual([])
  })

  it('unknown filters of flags are ignored', async () => {
    expect(await keysOf({ status: 'enabled' })).toHaveLength(SEEDED.length)
  })

  it.each([
    '?archived=yes',
    '?archived=1',
    '?archived=',
    '?archived=null',
    '?tag=a&tag=b',
    '?q=a&q=b',
    '?q=%00',
    '?tag=a%00',
  ])('the filter %s is 422', async (query) => {
    const { body, status } = await server.call({ path: `${flags}${query}` })
    expect({ status, error: typeof body.error }).toEqual({ status: 422, error: 'string' })
  })
})

describe('a large list', () => {
  const LARGE = 100
  let path: string

  beforeAll(async () => {
    path = `/api/environments/${server.environments.development}/flags`
    const description = 'A sentence that is written again and again. '.repeat(20)
    for (let at = 0; at < LARGE; at++) {
      await server.call({ path, body: { key: `large-${at}`, is_enabled: true, description } })
    }
  })

  const ask = (acceptEncoding: string, method = 'GET') =>
    fetch(server.url + path, {
      method,
      headers: { cookie: server.cookie, 'accept-encoding': acceptEncoding },
    })

  it('a large list of flags is compressed for clients that accept gzip', async () => {
    const zipped = await ask('gzip')
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(zipped.headers.get('vary')).toBe('accept-encoding')
    const plain = await ask('identity')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('vary')).toBe('accept-encoding')
    const length = (answer: Response) => Number(answer.headers.get('content-length'))
    expect(length(zipped)).toBeLessThan(length(plain) / 5)
    const flags = await zipped.json()
    expect(flags).toHaveLength(LARGE)
    expect(flags).toEqual(await plain.json())
  })

  it('HEAD of a large list of flags has only headers', async () => {
    const head = await ask('gzip', 'HEAD')
    expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: '' })
  })

  it('a filtered list of flags is not compressed when it is small', async () => {
    path = `${path}?q=large-99`
    expect((await ask('gzip')).headers.get('content-encoding')).toBeNull()
  })
})
