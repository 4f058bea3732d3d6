import { DESCRIPTION_SHOWN_MAX_LENGTH, generateTypes } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const DESCRIPTION = `${' \u2028'.repeat(20)}${'😀é@x*/ '.repeat(60_000)}`
const LARGE_VALUES = 18
const MEGABYTE = 1_000_000

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const pathOf = (slug: 'production' | 'staging', path: string) =>
  `/api/environments/${server.environments[slug]}${path}`
const manifestOf = (slug: 'production' | 'staging', path = '') =>
  `/openfeature/v0/manifest${path}?environment_id=${server.environments[slug]}`

async function create(slug: 'production' | 'staging', flag: object): Promise<void> {
  const answer = await server.call({ path: pathOf(slug, '/flags'), body: { is_enabled: true, ...flag } })
  expect(answer.status).toBe(200)
}

async function readTypes(slug: 'production' | 'staging') {
  const response = await fetch(server.url + pathOf(slug, '/types.ts'), {
    headers: {
      authorization: `Bearer ${(await server.call({ path: '/api/tokens', body: { name: crypto.randomUUID(), scope: 'read_only' } })).body.token}`,
    },
  })
  return { status: response.status, text: await response.text() }
}

describe('flags with descriptions of half a megabyte', () => {
  beforeAll(async () => {
    for (const key of ['a', 'b', 'c'])
      await create('production', { key, description: key === 'c' ? null : DESCRIPTION })
    await create('production', { key: 'short', description: 'Short' })
  })

  it('have the types that a program makes of the whole flags', async () => {
    const { body: flags } = await server.call({ path: pathOf('production', '/flags') })
    const { status, text } = await readTypes('production')
    expect(status).toBe(200)
    expect(text).toBe(generateTypes(flags, { now: new Date().toISOString() }))
    expect(text).toContain('😀')
    expect(text.length).toBeLessThan(5_000)
  })

  it('have the first characters of their description in the manifest', async () => {
    const { body } = await server.call({ path: manifestOf('production') })
    const shown = [...DESCRIPTION].slice(0, DESCRIPTION_SHOWN_MAX_LENGTH).join('')
    expect(body.flags.map(({ description }: { description: string | null }) => description)).toEqual([
      shown,
      shown,
      null,
      'Short',
    ])
  })

  it('keep their whole description when an entry of the manifest is sent back', async () => {
    const { body } = await server.call({ path: manifestOf('production') })
    const path = manifestOf('production', '/flags/a')
    const put = (fields: object) =>
      server.call({ method: 'PUT', path, body: { ...body.flags[0], ...fields } })
    expect((await put({ defaultValue: true })).status).toBe(200)
    const kept = (await server.call({ path: pathOf('production', '/flags/a') })).body
    expect(kept).toMatchObject({ disabled_value: true })
    expect(kept.description === DESCRIPTION).toBe(true)
    expect((await put({ description: 'New' })).body.flag.description).toBe('New')
  })
})

describe('a text of all flags that is larger than a response', () => {
  beforeAll(async () => {
    const value = 'v'.repeat(MEGABYTE)
    for (let nth = 0; nth < LARGE_VALUES; nth += 1)
      await create('staging', {
        key: `value-${nth}`,
        flag_type: 'string',
        disabled_value: value,
        default_value: 'x',
      })
  })

  it('is refused with its size and the limit, and never sent in part', async () => {
    const { body, status } = await server.call({ path: manifestOf('staging') })
    expect(status).toBe(400)
    const megabytes = ((LARGE_VALUES * MEGABYTE) / 1024 / 1024).toFixed(1)
    expect(body.error.message).toContain(`${megabytes} MiB`)
    expect(body.error.message).toContain('at most 16 MiB')
    expect(body.error.message).toContain('burgee generate')
  })

  it('of types has no limit by large values, which it does not contain', async () => {
    const { status, text } = await readTypes('staging')
    expect(status).toBe(200)
    expect(text).toContain("'value-0': string\n")
  })

  it('of types is refused where the types themselves are larger', async () => {
    // Each character is six in a type.
    const value = (nth: number) => 'ö'.repeat(190) + String(nth)
    const variants = Array.from({ length: 40 }, (_, nth) => ({ value: value(nth), weight: nth < 20 ? 2 : 3 }))
    for (let page = 0; page < 8; page += 1) {
      const flags = Array.from({ length: 50 }, (_, nth) => ({
        ...{ key: `variants-${page}-${nth}`, is_enabled: true, flag_type: 'string', variants },
        default_value: value(0),
      }))
      const applied = await server.call({ path: pathOf('staging', '/apply'), body: { flags } })
      expect({ status: applied.status, body: applied.status === 200 ? '' : applied.body }).toEqual({
        status: 200,
        body: '',
      })
    }
    const { status, text } = await readTypes('staging')
    expect(status).toBe(422)
    expect(JSON.parse(text).error).toMatch(
      /types of this environment are \d+\.\d MiB; one response has at most 16 MiB/,
    )
  })
})
