import { DOMAIN_EVENTS } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataKey } from '../../../src/platform/crypto/data-key.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Receiver, startReceiver } from '../../harness/start-receiver.ts'
import { SESSION_SECRET, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** The part of a chat's address that makes it a credential. */
const TOKEN = 'T0SECRET/B0SECRET/xyzzy-plugh-nothing-happens'

/** Returns an address of so many characters. */
const longUrl = (length: number, path = '') => `https://hooks.example.com/${path}`.padEnd(length, 'x')

let server: TestServer
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
  server.watchSecret(TOKEN)
  server.watchSecret('xyzzy-plugh-nothing-happens')
})
afterAll(async () => {
  await server?.close()
  await receiver?.close()
})

let named = 0
const newName = (what: string) => {
  named += 1
  return `${what}-${named}`
}

async function newEnvironment(): Promise<string> {
  const slug = newName('environment')
  const path = `/api/projects/${server.project.id}/environments`
  return (await server.call({ path, body: { name: slug, slug } })).body.id
}

const pathIn = (environment_id: string) => `/api/environments/${environment_id}/integrations`
const path = () => pathIn(server.environments.production)
const input = (change: object = {}) => ({
  kind: 'slack',
  name: 'Releases',
  webhook_url: receiver.url(`/services/${TOKEN}`),
  ...change,
})

async function newIntegration(environment_id: string, change: object = {}) {
  const urlPath = `/${newName('chat')}/${TOKEN}`
  const answer = await server.call({
    path: pathIn(environment_id),
    body: input({ webhook_url: receiver.url(urlPath), ...change }),
  })
  expect(answer.status).toBe(200)
  const { id } = answer.body as { id: string }
  const at = `${pathIn(environment_id)}/${id}`
  return {
    id,
    at,
    urlPath,
    created: answer.body,
    received: () => receiver.received(urlPath),
    deliveries: async () => (await server.call({ path: `${at}/deliveries` })).body,
    patch: (body: object) => server.call({ method: 'PATCH', path: at, body }),
    test: (body?: object) => server.call({ method: 'POST', path: `${at}/test`, body }),
  }
}

const putFlag = async (environment_id: string, key = newName('flag')) => {
  const body = { key, is_enabled: true }
  await server.call({ path: `/api/environments/${environment_id}/flags`, body })
  return key
}

const deleteFlag = (environment_id: string, key: string) =>
  server.call({ method: 'DELETE', path: `/api/environments/${environment_id}/flags/${key}` })

const queueIsEmpty = async () => {
  const { rows } = await server.database.pool.query(
    `select (select count(*) from delivery_jobs)::int as jobs,
      (select count(*) from domain_events where fanned_out_at is null)::int as events`,
  )
  return rows[0].jobs === 0 && rows[0].events === 0
}

describe('a chat integration', () => {
  it('a chat integration is created and listed with its address cut to the origin and six dots', async () => {
    const environment_id = await newEnvironment()

    const { created } = await newIntegration(environment_id)

    expect(created).toEqual({
      id: expect.any(String),
      environment_id,
      kind: 'slack',
      name: 'Releases',
      webhook_url_preview: `http://127.0.0.1:${receiver.port}/••••••`,
      events: [],
      enabled: true,
      created_at: expect.stringMatching(/Z$/),
    })
    expect((await server.call({ path: pathIn(environment_id) })).body).toEqual([
      { ...created, last_delivery: null },
    ])
  })

  it.each([
    ['an unknown kind', { kind: 'discord' }],
    ['no kind', { kind: undefined }],
    ['kind: null', { kind: null }],
    ['an unknown event', { events: ['flag.exploded'] }],
    ['an unknown event among known ones', { events: ['flag.updated', 'flag.*'] }],
    ['events that are no list', { events: 'flag.updated' }],
    ['no name', { name: undefined }],
    ['a blank name', { name: ' ' }],
    ['no address', { webhook_url: undefined }],
    ['an empty address', { webhook_url: '' }],
    ['plain http elsewhere', { webhook_url: `http://hooks.example.com/${TOKEN}` }],
    ['plain http to a lookalike of localhost', { webhook_url: `http://localhost.example.com/${TOKEN}` }],
    ['plain http to a lookalike of 127.0.0.1', { webhook_url: `http://127.0.0.1.nip.io/${TOKEN}` }],
    ['plain http to another loopback address', { webhook_url: `http://127.0.0.2/${TOKEN}` }],
    ['another scheme', { webhook_url: `ftp://127.0.0.1/${TOKEN}` }],
    ['enabled: null', { enabled: null }],
    ['a long address', { webhook_url: longUrl(2_001, TOKEN) }],
    ['a very long address', { webhook_url: longUrl(60_000, TOKEN) }],
  ])('a chat integration is 422 without its address in the response: %s', async (_what, change) => {
    const answer = await server.call({ path: path(), body: input(change) })

    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body)).not.toContain(TOKEN)
  })

  it('a chat integration accepts an address of 2,000 characters, and explains a longer one', async () => {
    const environment_id = await newEnvironment()
    await newIntegration(environment_id, { webhook_url: longUrl(2_000, TOKEN) })
    const webhook_url = longUrl(2_001, TOKEN)
    const { body } = await server.call({ path: pathIn(environment_id), body: input({ webhook_url }) })
    expect(body.error).toEqual(
      expect.stringContaining('/webhook_url may have at most 2,000 characters and has '),
    )
  })

  it.each(['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9', 'https://hooks.example.com'])(
    'a chat integration may be at %s',
    async (origin) => {
      const environment_id = await newEnvironment()
      const { created } = await newIntegration(environment_id, { webhook_url: `${origin}/${TOKEN}` })
      expect(created.webhook_url_preview).toBe(`${origin}/••••••`)
    },
  )

  it('a change of a chat integration affects the given fields, except its kind', async () => {
    const integration = await newIntegration(server.environments.staging, { events: ['flag.created'] })
    const { created } = integration

    expect((await integration.patch({ name: 'Ops' })).body).toEqual({ ...created, name: 'Ops' })
    const moved = await integration.patch({ webhook_url: `https://elsewhere.example.com/${TOKEN}` })
    expect(moved.body.webhook_url_preview).toBe('https://elsewhere.example.com/••••••')
    expect((await integration.patch({ events: ['flag.deleted', 'flag.deleted'] })).body.events).toEqual([
      'flag.deleted',
    ])
    expect((await integration.patch({ events: null })).body.events).toEqual([])
    expect((await integration.patch({ enabled: false, kind: 'teams' })).body).toMatchObject({
      enabled: false,
      kind: 'slack',
    })
  })

  it.each([
    [{ webhook_url: '' }],
    [{ webhook_url: null }],
    [{ webhook_url: `http://hooks.example.com/${TOKEN}` }],
    [{ webhook_url: longUrl(2_001) }],
    [{ events: ['nothing'] }],
    [{ name: '' }],
    [{ enabled: null }],
  ])('a change of a chat integration to %j is 422, like creating it', async (change) => {
    const integration = await newIntegration(server.environments.staging)
    expect((await integration.patch(change)).status).toBe(422)
  })

  it('a chat integration is deleted with 204 and then unknown to every route', async () => {
    const { at } = await newIntegration(server.environments.staging)

    expect((await server.call({ method: 'DELETE', path: at })).status).toBe(204)
    expect((await server.call({ method: 'DELETE', path: at })).status).toBe(404)
    expect((await server.call({ method: 'PATCH', path: at, body: {} })).status).toBe(404)
    expect((await server.call({ path: `${at}/deliveries` })).status).toBe(404)
    expect((await server.call({ method: 'POST', path: `${at}/test` })).status).toBe(404)
  })

  it('a chat integration is in the audit log without its address', async () => {
    const environment_id = await newEnvironment()
    const { at, id, patch } = await newIntegration(environment_id)
    await patch({ webhook_url: receiver.url(`/other/${TOKEN}`) })
    await server.call({ method: 'DELETE', path: at })

    const { body } = await server.call({ path: `/api/environments/${environment_id}/audit` })
    const entries = body.filter(
      (each: { metadata: { resource?: string } }) => each.metadata.resource === `integration:${id}`,
    )
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['delete', 'update', 'create'])
    expect(JSON.stringify(entries)).not.toContain(TOKEN)
  })
})

describe('an alert', () => {
  it.each(['slack', 'teams'])('an alert of kind %s is posted without a signature', async (kind) => {
    const environment_id = await newEnvironment()
    const integration = await newIntegration(environment_id, { kind })

    const key = await putFlag(environment_id)

    const [message] = await eventually(() => integration.received().length === 1 && integration.received())
    const names = Object.keys(message?.headers ?? {})
    expect(names.filter((name) => /signature|webhook|flagservice/.test(name))).toEqual([])
    expect(message?.headers['content-type']).toBe('application/json')
    expect(message?.text).toContain(key)
  })

  it('an alert is sent of the listed events only, or of all when none is listed', async () => {
    const environment_id = await newEnvironment()
    const some = await newIntegration(environment_id, { events: ['flag.deleted'] })
    const all = await newIntegration(environment_id, { events: [] })

    const key = await putFlag(environment_id)
    await deleteFlag(environment_id, key)

    await eventually(() => all.received().length === 2 && some.received().length === 1)
    await eventually(queueIsEmpty)
    const events = (await some.deliveries()).map(({ event }: { event: string }) => event)
    expect(events).toEqual(['flag.deleted'])
  })

  it('an alert never reaches an integration of another environment, a disabled one or a deleted one', async () => {
    const environment_id = await newEnvironment()
    const heard = await newIntegration(environment_id)
    const silent = [
      await newIntegration(await newEnvironment()),
      await newIntegration(environment_id, { enabled: false }),
      await newIntegration(environment_id),
    ]
    await server.call({ method: 'DELETE', path: silent[2]?.at ?? '' })

    await putFlag(environment_id)

    await eventually(() => heard.received().length === 1)
    await eventually(queueIsEmpty)
    expect(silent.flatMap(({ received }) => received())).toEqual([])
  })

  it('a failed alert is retried, with each attempt in the log', async () => {
    const environment_id = await newEnvironment()
    const integration = await newIntegration(environment_id)
    receiver.reply((_received, response) => {
      response.writeHead(integration.received().length === 1 ? 500 : 200).end('ok')
    }, integration.urlPath)

    await putFlag(environment_id)

    const deliveries = await eventually(async () => {
      const rows = await integration.deliveries()
      return rows.length === 2 && rows
    })
    expect(deliveries).toEqual([
      {
        id: expect.any(Number),
        integration_id: integration.id,
        event: 'flag.created',
        attempt: 2,
        message_id: expect.stringMatching(/^evt_/),
        status_code: 200,
        response_body: null,
        error: null,
        duration_ms: expect.any(Number),
        delivered_at: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ attempt: 1, status_code: 500 }),
    ])
  })

  it('no response of a private address is kept', async () => {
    const environment_id = await newEnvironment()
    const integration = await newIntegration(environment_id)
    receiver.reply(({ path: asked }, response) => {
      response.writeHead(200).end(`Cannot POST ${asked} at ${receiver.url(asked)}`)
    }, integration.urlPath)

    await putFlag(environment_id)

    const [delivery] = await eventually(async () => {
      const rows = await integration.deliveries()
      return rows.length === 1 && rows
    })
    expect(delivery).toMatchObject({ status_code: 200, response_body: null, error: null })
  })

  it('an alert is not sent of an event that the integration does not listen to any more', async () => {
    const environment_id = await newEnvironment()
    const integration = await newIntegration(environment_id)
    receiver.reply(500, integration.urlPath)
    await putFlag(environment_id)
    await eventually(async () => (await integration.deliveries()).length === 1)

    await integration.patch({ events: ['flag.deleted'] })

    const { rows } = await server.database.pool.query(
      'select 1 from delivery_jobs where integration_id = $1',
      [integration.id],
    )
    expect(rows).toEqual([])
  })

  it('the 200 newest attempts of alerts are kept', async () => {
    const environment_id = await newEnvironment()
    const integration = await newIntegration(environment_id)
    await server.database.pool.query(
      `insert into integration_deliveries (integration_id, event, attempt, status_code, duration_ms, delivered_at)
       select $1, 'flag.created', 1, 200, 100000 + n, now() from generate_series(1, 205) n`,
      [integration.id],
    )
    await putFlag(environment_id)

    await eventually(async () => {
      const { rows } = await server.database.pool.query(
        'select count(*)::int as count, (array_agg(duration_ms order by id))[1] as oldest from integration_deliveries where integration_id = $1',
        [integration.id],
      )
      return rows[0].count === 200 && rows[0].oldest === 100_007
    })
    expect(await integration.deliveries()).toHaveLength(200)
  })
})

describe('test alerts', () => {
  it('a test alert is sent at once and responds with its delivery row, which is in the log', async () => {
    const integration = await newIntegration(await newEnvironment())

    const { body, status } = await integration.test()

    expect(status).toBe(200)
    expect(body).toMatchObject({
      integration_id: integration.id,
      event: 'flag.updated',
      attempt: 1,
      status_code: 200,
      response_body: null,
      error: null,
    })
    expect(integration.received()).toHaveLength(1)
    expect(await integration.deliveries()).toEqual([body])
    await eventually(queueIsEmpty)
  })

  it.each(DOMAIN_EVENTS)(
    'a test alert can be a sample of %s, whatever the integration listens to',
    async (event) => {
      const integration = await newIntegration(await newEnvironment(), {
        events: ['flag.promoted'],
        kind: 'teams',
      })

      expect((await integration.test({ event })).body).toMatchObject({ event, status_code: 200 })
    },
  )

  it('a test alert reaches a disabled integration, and no other', async () => {
    const environment_id = await newEnvironment()
    const integration = await newIntegration(environment_id, { enabled: false })
    const other = await newIntegration(environment_id)

    expect((await integration.test({})).body.status_code).toBe(200)

    await eventually(queueIsEmpty)
    expect(integration.received()).toHaveLength(1)
    expect(other.received()).toEqual([])
  })

  it('a test alert responds with 200 also when the receiver failed, and is retried like a real one', async () => {
    const integration = await newIntegration(await newEnvironment())
    receiver.reply((_received, response) => {
      response.writeHead(integration.received().length === 1 ? 500 : 200).end()
    }, integration.urlPath)

    const { body, status } = await integration.test()

    expect([status, body.status_code]).toEqual([200, 500])
    await eventually(async () => (await integration.deliveries()).length === 2)
    expect((await integration.deliveries())[0]).toMatchObject({ attempt: 2, status_code: 200 })
  })

  it('a test alert responds with 200 and the error when nothing listens', async () => {
    const integration = await newIntegration(await newEnvironment(), {
      webhook_url: `http://127.0.0.1:9/${TOKEN}`,
      enabled: false,
    })

    const { body, status } = await integration.test()

    expect([status, body.status_code]).toEqual([200, null])
    expect(body.error).toEqual(expect.any(String))
    expect(JSON.stringify(body)).not.toContain(TOKEN)
  })

  it('a test alert to an address above the length limit is a failed attempt, which is retried and given up', async () => {
    const integration = await newIntegration(await newEnvironment())
    const longPath = 'x'.repeat(60_000)
    server.watchSecret('x'.repeat(100))
    const data_key = await openDataKey({ db: server.database.db }, [SESSION_SECRET])
    await server.database.db
      .updateTable('integrations')
      .set({ webhook_url_sealed: data_key.seal(receiver.url(`/${longPath}`)) })
      .where('id', '=', integration.id)
      .execute()

    const { body, status } = await integration.test()

    expect(status).toBe(200)
    expect(body).toMatchObject({
      attempt: 1,
      status_code: null,
      error: expect.stringContaining('2000 characters'),
    })
    const jobs = await server.database.pool.query(
      'select attempt from delivery_jobs where integration_id = $1',
      [integration.id],
    )
    expect(jobs.rows).toEqual([{ attempt: 2 }])
    await integration.patch({ enabled: false })
  })

  it('a test alert of an unknown event is 422', async () => {
    const integration = await newIntegration(await newEnvironment())
    expect((await integration.test({ event: 'flag.exploded' })).status).toBe(422)
  })
})
