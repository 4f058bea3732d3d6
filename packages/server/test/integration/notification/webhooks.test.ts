import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../harness/start-receiver.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const SECRET = 'a-secret-of-this-webhook'

let server: TestServer
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
  server.watchSecret(SECRET)
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const pathIn = (environment_id: string) => `/api/environments/${environment_id}/webhooks`
const path = () => pathIn(server.environments.production)
const create = async (body: object = {}) => {
  const answer = await server.call({
    path: path(),
    body: { name: 'Deploy bot', url: receiver.url(), ...body },
  })
  expect(answer.status).toBe(200)
  return answer.body
}
const patch = (id: string, body: object) => server.call({ method: 'PATCH', path: `${path()}/${id}`, body })

describe('a webhook', () => {
  it('a webhook is created enabled and without a secret unless the request has other values', async () => {
    const created = await create()

    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      environment_id: server.environments.production,
      name: 'Deploy bot',
      url: receiver.url(),
      has_secret: false,
      enabled: true,
      created_at: expect.stringMatching(/Z$/),
    })
  })

  it('a webhook never returns its secret', async () => {
    const created = await create({ secret: SECRET, enabled: false })
    const listed = await server.call({ path: path() })

    expect(created).toMatchObject({ has_secret: true, enabled: false })
    expect(listed.body).toContainEqual({ ...created, last_delivery: null })
    expect(JSON.stringify([created, listed.body])).not.toContain(SECRET)
  })

  it('webhooks are listed in their own environment only, in the order of creation', async () => {
    const first = await create({ name: 'first' })
    const second = await create({ name: 'second' })

    const here = await server.call({ path: path() })
    const there = await server.call({ path: pathIn(server.environments.staging) })
    expect(here.body.slice(-2)).toEqual(
      [first, second].map((created) => ({ ...created, last_delivery: null })),
    )
    expect(there.body).toEqual([])
  })

  it.each([
    ['an empty url', { url: '' }],
    ['no url', { url: undefined }],
    ['a url that is none', { url: 'not an address' }],
    ['another scheme', { url: 'ftp://127.0.0.1/' }],
    ['a link-local address', { url: 'http://169.254.169.254/latest/meta-data' }],
    ['a name and password in the url', { url: 'http://me:secret@127.0.0.1/' }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: '  ' }],
    ['no name', { name: undefined }],
    ['enabled: null', { enabled: null }],
    ['a secret that is no text', { secret: 5 }],
    ['a url of more than 2,000 characters', { url: 'http://127.0.0.1/'.padEnd(2_001, 'x') }],
    ['a url with NUL', { url: `http://127.0.0.1/\0` }],
  ])('a webhook is 422: %s', async (_what, change) => {
    const body = { name: 'x', url: receiver.url(), ...change }
    expect((await server.call({ path: path(), body })).status).toBe(422)
  })

  it('a change of a webhook affects only the given fields', async () => {
    const created = await create({ secret: SECRET })

    const renamed = await patch(created.id, { name: 'Renamed' })
    expect(renamed.body).toEqual({ ...created, name: 'Renamed' })
    const moved = await patch(created.id, { url: receiver.url('/elsewhere') })
    expect(moved.body).toEqual({ ...created, name: 'Renamed', url: receiver.url('/elsewhere') })
    const same = await patch(created.id, {})
    expect(same.body).toEqual(moved.body)
  })

  it('a webhook loses its secret by null or an empty text, and gets another one', async () => {
    const { id } = await create({ secret: SECRET })

    expect((await patch(id, { secret: null })).body.has_secret).toBe(false)
    expect((await patch(id, { secret: SECRET })).body.has_secret).toBe(true)
    expect((await patch(id, { secret: '' })).body.has_secret).toBe(false)
  })

  it('a secret of fewer than 16 characters gets a warning, which does not repeat it', async () => {
    const short = '15-characters-x'
    const warnings = [{ code: 'short_secret', path: '/secret', message: expect.stringContaining('16') }]

    const created = await create({ secret: short })
    expect(created).toMatchObject({ has_secret: true, warnings })
    expect(JSON.stringify(created)).not.toContain(short)
    expect((await patch(created.id, { secret: `whsec_${short}` })).body).toMatchObject({ warnings })
    for (const secret of [`${short}y`, null, '']) {
      expect((await patch(created.id, { secret })).body).not.toHaveProperty('warnings')
    }
    expect((await patch(created.id, { name: 'Renamed' })).body).not.toHaveProperty('warnings')
  })

  it.each([
    [{ url: '' }],
    [{ url: null }],
    [{ url: 'http://127.0.0.1/'.padEnd(2_001, 'x') }],
    [{ url: 'http://[fe80::1]/' }],
    [{ name: '' }],
    [{ name: null }],
    [{ enabled: null }],
    [{ enabled: 'yes' }],
  ])('a change of a webhook to %j is 422', async (change) => {
    const { id } = await create()
    expect((await patch(id, change)).status).toBe(422)
  })

  it('a webhook is deleted with 204 and then unknown to every route', async () => {
    const { id } = await create()

    expect((await server.call({ method: 'DELETE', path: `${path()}/${id}` })).status).toBe(204)
    expect((await server.call({ method: 'DELETE', path: `${path()}/${id}` })).status).toBe(404)
    expect((await patch(id, { name: 'x' })).status).toBe(404)
    expect((await server.call({ path: `${path()}/${id}/deliveries` })).status).toBe(404)
  })

  it('a webhook is unknown in another environment', async () => {
    const { id } = await create()
    const elsewhere = `${pathIn(server.environments.staging)}/${id}`

    expect((await server.call({ method: 'PATCH', path: elsewhere, body: { name: 'x' } })).status).toBe(404)
    expect((await server.call({ method: 'DELETE', path: elsewhere })).status).toBe(404)
    expect((await server.call({ path: `${elsewhere}/deliveries` })).status).toBe(404)
    const unknown = `${path()}/${randomUUID()}`
    expect((await server.call({ path: `${unknown}/deliveries` })).status).toBe(404)
    expect(
      (await server.call({ method: 'POST', path: `${path()}/${id}/deliveries/1/redeliver` })).status,
    ).toBe(404)
  })

  it('a webhook is managed by a server key of its environment', async () => {
    const as = { bearer: server.sdkKey }
    const created = await server.call({ path: path(), body: { name: 'by a key', url: receiver.url() }, as })

    expect(created.status).toBe(200)
    expect((await server.call({ path: pathIn(server.environments.staging), as })).status).toBe(403)
  })
})

describe('webhooks in the audit log', () => {
  it('the audit log has changes of webhooks, without secrets and without the whole address', async () => {
    const url = receiver.url('/hooks/T0/what-nobody-may-see')
    server.watchSecret(SECRET)
    const { id } = await create({ url, secret: SECRET })
    await patch(id, { enabled: false })
    await server.call({ method: 'DELETE', path: `${path()}/${id}` })

    const { body } = await server.call({ path: `/api/environments/${server.environments.production}/audit` })
    const entries = body.filter(
      (entry: { metadata: { resource?: string } }) => entry.metadata.resource === `webhook:${id}`,
    )
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['delete', 'update', 'create'])
    expect(entries[1]).toMatchObject({
      flag_key: '',
      before_data: { enabled: true, has_secret: true, url: `${new URL(url).origin}/••••••` },
      after_data: { enabled: false, has_secret: true },
      metadata: { origin: 'direct' },
    })
    expect(JSON.stringify(entries)).not.toContain('what-nobody-may-see')
  })
})

describe('BLOCK_PRIVATE_TARGETS', () => {
  it('BLOCK_PRIVATE_TARGETS refuses private addresses, and lets a webhook with one be disabled', async () => {
    const { id } = await create()
    const strict = await startTestServer({
      database: server.database,
      env: { BLOCK_PRIVATE_TARGETS: 'true' },
    })
    try {
      const refused = await strict.call({ path: path(), body: { name: 'x', url: receiver.url() } })
      expect(refused.status).toBe(422)
      expect(refused.body.details[0].path).toBe('/url')
      const body = { enabled: false }
      expect((await strict.call({ method: 'PATCH', path: `${path()}/${id}`, body })).status).toBe(200)
    } finally {
      await strict.close()
    }
  })
})

describe('warnings about private targets at the start', () => {
  const SECRET = { SESSION_SECRET: 'another-session-secret-for-tests-of-32' }
  const startedWith = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const started = await startTestServer({ setUp: false, env })
    const logged = started.logged()
    await started.close()
    return logged
  }

  it('a production server warns once at start that private addresses may be reached', async () => {
    const logged = await startedWith({ ...SECRET, NODE_ENV: 'production' })
    expect(logged.match(/BLOCK_PRIVATE_TARGETS is off: webhooks/g)).toHaveLength(1)
  })

  it('a server with blocked private addresses, or in tests, does not warn', async () => {
    const blocked = {
      ...SECRET,
      NODE_ENV: 'production',
      BLOCK_PRIVATE_TARGETS: 'true',
      OUTBOUND_ALLOW: '10.0.0.0/8',
    }
    expect(await startedWith(blocked)).not.toContain('BLOCK_PRIVATE_TARGETS')
    expect(await startedWith({})).not.toContain('BLOCK_PRIVATE_TARGETS')
  })

  it('a server warns that OUTBOUND_ALLOW alone has no effect', async () => {
    expect(await startedWith({ OUTBOUND_ALLOW: 'hooks.internal' })).toContain('OUTBOUND_ALLOW has no effect')
  })
})
