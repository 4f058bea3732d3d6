import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateManifest } from '../../../../../e2e/openfeature/validate-manifest.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let environment: string

const MANIFEST = '/openfeature/v0/manifest'

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  const flags = [
    { key: 'plain', description: 'A plain flag' },
    { key: 'theme', flag_type: 'string', default_value: 'light', disabled_value: 'dark' },
    { key: 'seats', flag_type: 'integer', default_value: 5 },
    { key: 'discount', flag_type: 'json', default_value: 0.5 },
    { key: 'limits', flag_type: 'json', default_value: { seats: 1 } },
    { key: 'gone' },
  ]
  const body = { flags: flags.map((flag) => ({ is_enabled: true, ...flag })) }
  expect((await server.call({ path: `${environment}/apply`, body })).status).toBe(200)
  await server.call({ path: `${environment}/flags/gone/archive`, method: 'POST' })
})
afterAll(() => server.close())

const withKey = () => ({ bearer: server.sdkKey })
const at = (path: string) => `${MANIFEST}${path}?environment_id=${server.environments.production}`
const getFlag = async (key: string) => (await server.call({ path: `${environment}/flags/${key}` })).body

describe('the manifest of OpenFeature', () => {
  it('has the flags of the environment of the key, with their types and defaults', async () => {
    const { body, headers, status } = await server.call({ path: MANIFEST, as: withKey() })
    expect(status).toBe(200)
    expect(headers.get('x-manifest-capabilities')).toBe('read,write,delete')
    expect(body.flags.map(({ defaultValue, key, type }: Entry) => [key, type, defaultValue])).toEqual([
      ['discount', 'float', 0],
      ['limits', 'object', {}],
      ['plain', 'boolean', false],
      ['seats', 'integer', 0],
      ['theme', 'string', 'dark'],
    ])
    // `openfeature pull` writes this file from it.
    const flags = Object.fromEntries(
      body.flags.map(({ defaultValue, key, type }: Entry) => [key, { flagType: type, defaultValue }]),
    )
    expect(validateManifest({ flags })).toEqual([])
  })

  it('of a user needs the environment, and says what the credential may do', async () => {
    const created = await server.call({ path: '/api/tokens', body: { name: 'reader', scope: 'read_only' } })
    const reader = { bearer: created.body.token }
    const read = await server.call({ path: at(''), as: reader })
    expect(read.headers.get('x-manifest-capabilities')).toBe('read')
    expect(await server.call({ path: MANIFEST })).toMatchObject({
      status: 400,
      body: { error: { status: 400, message: expect.stringContaining('environment_id') } },
    })
    for (const id of ['x', crypto.randomUUID(), '%00'])
      expect(await server.call({ path: `${MANIFEST}?environment_id=${id}` })).toMatchObject({ status: 404 })
    const other = `${MANIFEST}?environment_id=${server.environments.staging}`
    expect((await server.call({ path: other, as: withKey() })).status).toBe(403)
    expect(await server.call({ path: MANIFEST, as: 'anonymous' })).toMatchObject({
      status: 401,
      body: { error: { status: 401, message: expect.any(String) } },
    })
    const write = { key: 'x', type: 'boolean', defaultValue: false }
    expect((await server.call({ path: at('/flags'), body: write, as: reader })).status).toBe(403)
  })

  it('creates a flag that is off, and refuses a key that is in use', async () => {
    const body = { key: 'pushed', type: 'string', name: 'Pushed', defaultValue: 'a' }
    const created = await server.call({ path: `${MANIFEST}/flags`, body, as: withKey() })
    expect(created).toMatchObject({
      status: 201,
      body: { flag: { key: 'pushed', type: 'string', defaultValue: 'a' }, updatedAt: expect.any(String) },
    })
    expect(await getFlag('pushed')).toMatchObject({
      is_enabled: false,
      disabled_value: 'a',
      default_value: 'a',
      description: 'Pushed',
    })
    for (const key of ['pushed', 'gone'])
      expect(await server.call({ path: at('/flags'), body: { ...body, key } })).toMatchObject({
        status: 409,
        body: { error: { status: 409, message: expect.stringContaining(key) } },
      })
    const invalid = await server.call({ path: at('/flags'), body: { ...body, key: 'no key', type: 'date' } })
    expect(invalid.status).toBe(400)
    expect(invalid.body.error.details.map(({ field }: { field: string }) => field)).toContain('key')
    const mismatch = { ...body, key: 'odd', type: 'integer' }
    expect((await server.call({ path: at('/flags'), body: mismatch })).status).toBe(400)
  })

  it('changes what it shows of a flag, and nothing else', async () => {
    const before = await getFlag('theme')
    const body = { key: 'theme', type: 'string', description: 'Colors', defaultValue: 'blue' }
    const written = await server.call({ path: at('/flags/theme'), method: 'PUT', body })
    expect(written).toMatchObject({ status: 200, body: { flag: { description: 'Colors' } } })
    const { description, disabled_value, revision: _, updated_at: __, ...rest } = await getFlag('theme')
    expect({ description, disabled_value }).toEqual({ description: 'Colors', disabled_value: 'blue' })
    expect(before).toMatchObject(rest)
    const put = async (key: string, fields: object) =>
      (await server.call({ path: at(`/flags/${key}`), method: 'PUT', body: { ...body, key, ...fields } }))
        .status
    expect(await put('theme', { key: 'seats' })).toBe(400)
    expect(await put('theme', { type: 'boolean' })).toBe(409)
    expect(await put('gone', { type: 'boolean', defaultValue: true })).toBe(409)
    expect(await put('nowhere', {})).toBe(404)
  })

  it('names its own fields where the flag would be invalid', async () => {
    const create = (body: object) => server.call({ path: at('/flags'), body: { key: 'refused', ...body } })
    const wrongs = [
      await create({ type: 'boolean', defaultValue: 'yes' }),
      await create({ type: 'integer', defaultValue: 1.5 }),
      await server.call({
        ...{ path: at('/flags/seats'), method: 'PUT' },
        body: { key: 'seats', type: 'integer', defaultValue: 'five' },
      }),
    ]
    for (const { body, status } of wrongs) {
      expect([status, JSON.stringify(body)]).toEqual([400, expect.not.stringContaining('_value')])
      expect(body.error.details).toEqual([{ field: 'defaultValue', message: expect.any(String) }])
    }
  })

  it('archives a flag once', async () => {
    const path = at('/flags/plain')
    const archived = await server.call({ path, method: 'DELETE' })
    expect(archived).toMatchObject({ status: 200, body: { archivedAt: expect.any(String) } })
    expect((await getFlag('plain')).archived_at).toBe(archived.body.archivedAt)
    expect((await server.call({ path, method: 'DELETE' })).status).toBe(409)
  })
})

describe('the types of the flags', () => {
  it('are a module with an ETag', async () => {
    const path = `${server.url}${environment}/types.ts`
    const authorization = `Bearer ${server.sdkKey}`
    const read = (query = '', headers = {}) => fetch(path + query, { headers: { authorization, ...headers } })
    const all = await read()
    expect(all.status).toBe(200)
    expect(all.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const text = await all.text()
    expect(text).toMatch(/^ {4}'seats': 5$/m)
    expect(text).toContain('@deprecated Archived')
    const known = { 'if-none-match': all.headers.get('etag') ?? '' }
    expect((await read('', known)).status).toBe(304)
    const strict = await read('?strict=true', known)
    expect(strict.status).toBe(200)
    expect(await strict.text()).not.toContain("'gone'")
  })
})

interface Entry {
  readonly key: string
  readonly type: string
  readonly defaultValue: unknown
}
