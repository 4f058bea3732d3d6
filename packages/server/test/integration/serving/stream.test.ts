import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { readStream, type TestStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

let server: TestServer
let flags: string

beforeAll(async () => {
  server = await startTestServer()
  flags = `/api/environments/${server.environments.production}/flags`
  for (const key of ['one', 'two']) {
    await server.call({
      path: flags,
      body: { key, is_enabled: true, description: 'secret words', tags: ['t'], owner_email: 'o' },
    })
  }
})
afterAll(() => server.close())

const withKey = (key = server.sdkKey) => ({ authorization: `Bearer ${key}` })
const newKey = async (kind: string, environment_id = server.environments.production) =>
  (
    await server.call({
      path: `/api/projects/${server.project.id}/keys`,
      body: { name: kind, environment_id, kind },
    })
  ).body
const toggle = (key: string, is_enabled: boolean) =>
  server.call({ method: 'PATCH', path: `${flags}/${key}`, body: { is_enabled } })

describe('GET /stream with an SDK key', () => {
  it("a key's stream sends connected, one UPSERT for each flag, ready, then live updates", async () => {
    const stream = await readStream(`${server.url}/stream`, withKey())
    await stream.until(({ event }) => event === 'ready')
    const environment_id = server.environments.production
    expect(stream.events[0]).toMatchObject({ event: 'connected', data: { environment_id } })
    expect(stream.events.slice(1, 3).map(({ data }) => [data.type, data.env_id, data.flag.key])).toEqual([
      ['UPSERT', environment_id, 'one'],
      ['UPSERT', environment_id, 'two'],
    ])
    expect(stream.events[3]).toMatchObject({ event: 'ready', data: '2' })
    const { body } = await toggle('one', false)
    const update = await stream.until(
      ({ data, event }) => event === 'update' && data.flag?.is_enabled === false,
    )
    expect(update.data).toEqual({ type: 'UPSERT', env_id: environment_id, flag: stateOf(body) })
    expect(update.id).toBe(String(body.revision))
    await server.call({ path: flags, body: { key: 'short', is_enabled: true } })
    await server.call({ method: 'DELETE', path: `${flags}/short` })
    const removed = await stream.until(({ data }) => data?.type === 'DELETE')
    expect(removed.data).toEqual({ type: 'DELETE', env_id: environment_id, key: 'short' })
    stream.close()
  })

  it("a key's stream starts with `event: connected` and frames each block as event, data, id", async () => {
    const stream = await readStream(`${server.url}/stream`, withKey())
    await stream.until(({ event }) => event === 'ready')
    expect(stream.text()).toMatch(
      /^event: connected\ndata: \{"environment_id":"[0-9a-f-]{36}"\}\nretry: 1000\n\nevent: update\ndata: \{.*\}\nid: \d+\n\n/,
    )
    expect(stream.text()).toMatch(/event: ready\ndata: 2\n\n$/)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('access-control-allow-origin')).toBe('*')
    // The connection ends with the stream: no request may follow on it.
    expect(stream.headers.get('connection')).toBe('close')
    stream.close()
  })

  it('a key as query parameter opens the stream, and is never logged', async () => {
    const stream = await readStream(`${server.url}/stream?sdk_key=${server.sdkKey}`)
    await stream.until(({ event }) => event === 'ready')
    stream.close()
    expect((await fetch(`${server.url}/stream?sdk_key=sk_live_wrong-canary`)).status).toBe(401)
    expect((await fetch(`${server.url}/flags/snapshot?sdk_key=${server.sdkKey}`)).status).toBe(401)
    await eventually(() => server.logged().includes('/flags/snapshot'))
    expect(server.logged()).not.toContain(server.sdkKey)
    expect(server.logged()).not.toContain('wrong-canary')
  })

  it('a stream sends a comment line every 15 seconds to keep the connection alive', async () => {
    const stream = await readStream(`${server.url}/stream`, withKey())
    await eventually(() => stream.comments.length > 0, 20_000)
    stream.close()
  })

  it('HEAD does not open a stream', async () => {
    const response = await fetch(`${server.url}/stream`, { method: 'HEAD', headers: withKey() })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
  })

  it('a stream of HTTP/1.0 has no chunks', async () => {
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
    })
    socket.write(`GET /stream HTTP/1.0\r\nAuthorization: Bearer ${server.sdkKey}\r\n\r\n`)
    await eventually(() => text.includes('event: ready'))
    expect(text).toMatch(/\r\n\r\nevent: connected\n/)
    expect(text.toLowerCase()).not.toContain('transfer-encoding')
    socket.destroy()
  })

  it("a key's stream has nothing of other environments", async () => {
    const { key } = await newKey('server', server.environments.staging)
    const stream = await readStream(`${server.url}/stream`, withKey(key))
    await stream.until(({ event }) => event === 'ready')
    await toggle('one', true)
    await server.call({
      path: `/api/environments/${server.environments.staging}/flags`,
      body: { key: 'here', is_enabled: true },
    })
    await stream.until(({ data }) => data?.flag?.key === 'here')
    expect(stream.events.map(({ data }) => data?.env_id).filter(Boolean)).toEqual([
      server.environments.staging,
    ])
    stream.close()
  })

  it('a stream is refused without a credential, with a wrong one, and with another scheme', async () => {
    for (const headers of [
      {},
      withKey('sk_live_wrong'),
      { authorization: `Basic ${server.sdkKey}` },
      { authorization: 'Bearer' },
    ]) {
      const response = await fetch(`${server.url}/stream`, { headers })
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({ error: expect.any(String) })
    }
  })

  it('a stream ends when its key is revoked', async () => {
    const { id, key } = await newKey('server')
    const stream = await readStream(`${server.url}/stream`, withKey(key))
    await stream.until(({ event }) => event === 'ready')
    await server.call({ method: 'DELETE', path: `/api/projects/${server.project.id}/keys/${id}` })
    expect((await fetch(`${server.url}/stream`, { headers: withKey(key) })).status).toBe(401)
    await eventually(stream.ended)
  })

  it("a client key's stream has flags without description, owner_email and tags", async () => {
    const { key } = await newKey('client')
    const stream = await readStream(`${server.url}/stream`, withKey(key))
    await stream.until(({ event }) => event === 'ready')
    await toggle('two', false)
    await stream.until(({ data }) => data?.flag?.is_enabled === false)
    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: key } })
    for (const text of [stream.text(), JSON.stringify(snapshot.body)]) {
      expect(text).toContain('"key":"two"')
      expect(text).not.toMatch(/secret words|owner_email|"tags"/)
    }
    stream.close()
  })
})

describe('an archived flag', () => {
  it('an archived flag leaves stream and snapshot, changes invisibly, and returns', async () => {
    await server.call({ path: flags, body: { key: 'seasonal', is_enabled: true } })
    const stream = await readStream(`${server.url}/stream`, withKey())
    await stream.until(({ event }) => event === 'ready')
    const change = (body: object) => server.call({ method: 'PATCH', path: `${flags}/seasonal`, body })
    await change({ archived_at: '2026-01-01T00:00:00Z' })
    const gone = await stream.until(({ data }) => data?.type === 'DELETE')
    expect(gone.data.key).toBe('seasonal')
    const keys = async () =>
      (await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })).body.map(
        (flag: { key: string }) => flag.key,
      )
    expect(await keys()).not.toContain('seasonal')
    await change({ description: 'changed in the archive' })
    await change({ archived_at: null })
    const back = await stream.until(({ data }) => data?.flag?.description === 'changed in the archive')
    expect(back.data).toMatchObject({ type: 'UPSERT', flag: { key: 'seasonal', archived_at: null } })
    expect(await keys()).toContain('seasonal')
    const updates = stream.events.slice(stream.events.findIndex(({ event }) => event === 'ready') + 1)
    expect(updates.map(({ data }) => data.type)).toEqual(['DELETE', 'UPSERT'])
    stream.close()
  })
})

describe('GET /stream with a session', () => {
  it("a session's stream has every environment that its user may read, each update with its own id", async () => {
    const stream = await readStream(`${server.url}/stream`, { cookie: server.cookie })
    await stream.until(({ event }) => event === 'ready')
    expect(stream.events[0]).toMatchObject({ event: 'connected', data: { environment_id: null } })
    const ready = stream.events.find(({ event }) => event === 'ready')
    expect(Number(ready?.data)).toBe(stream.events.filter(({ event }) => event === 'update').length)
    await toggle('one', false)
    await server.call({
      path: `/api/environments/${server.environments.development}/flags`,
      body: { key: 'dev', is_enabled: true },
    })
    await stream.until(
      ({ data }) => data?.flag?.key === 'dev' && data.env_id === server.environments.development,
    )
    await stream.until(
      ({ data }) => data?.flag?.key === 'one' && data.env_id === server.environments.production,
    )
    expect(stream.text()).not.toContain('\nid:')
    stream.close()
  })

  it("a session's stream gains the environments of a new project", async () => {
    const stream = await readStream(`${server.url}/stream`, { cookie: server.cookie })
    await stream.until(({ event }) => event === 'ready')
    const { body } = await server.call({ path: '/api/projects', body: { name: 'Second' } })
    const path = `/api/environments/${body.environments[0].id}/flags`
    await server.call({ path, body: { key: 'new-project', is_enabled: true } })
    await stream.until(({ data }) => data?.flag?.key === 'new-project')
    stream.close()
  })

  it("a session's stream is narrowed by environment_id", async () => {
    const path = `${server.url}/stream?environment_id=${server.environments.production}`
    const stream = await readStream(path, { cookie: server.cookie })
    await stream.until(({ event }) => event === 'ready')
    expect(stream.events[0]?.data).toEqual({ environment_id: null })
    const named = new Set(stream.events.map(({ data }) => data?.env_id).filter(Boolean))
    expect([...named]).toEqual([server.environments.production])
    stream.close()
  })

  it("a session's stream has the origins of expanded rules only where they are asked for", async () => {
    const environment_id = server.environments.development
    const at = `/api/environments/${environment_id}`
    const test = (value: string) => ({ attribute: 'plan', operator: 'equals', values: [value] })
    const staff = { key: 'staff', name: 'Staff', included_keys: ['ada'], rules: [test('staff')] }
    await server.call({ path: `${at}/segments`, body: staff })
    const rules = [
      test('x'),
      { ...test('y'), conditions: [{ segment_key: 'staff', operator: 'in_segment' }] },
    ]
    await server.call({ path: `${at}/flags`, body: { key: 'plain', is_enabled: true, rules: [test('x')] } })
    await server.call({ path: `${at}/flags`, body: { key: 'expanded', is_enabled: true, rules } })
    const open = async (query: string, headers: Record<string, string> = { cookie: server.cookie }) => {
      const stream = await readStream(
        `${server.url}/stream?environment_id=${environment_id}${query}`,
        headers,
      )
      await stream.until(({ event }) => event === 'ready')
      return stream
    }
    const originsIn = (stream: TestStream, key: string) =>
      stream.events.filter(({ data }) => data?.flag?.key === key).map(({ data }) => data.origins)
    const origins = [
      { rule_index: 0, segment_keys: [], count: 1 },
      { rule_index: 1, segment_keys: ['staff'], count: 2 },
    ]
    const { key } = await newKey('server', environment_id)
    const asking = await open('&origins=true')
    const others = [await open(''), await open('&origins=true', withKey(key))]
    expect(originsIn(asking, 'expanded')).toEqual([origins])
    expect(originsIn(asking, 'plain')).toEqual([undefined])
    await server.call({
      method: 'PATCH',
      path: `${at}/flags/expanded`,
      body: { rules: [...rules, test('z')] },
    })
    const third = { rule_index: 2, segment_keys: [], count: 1 }
    await eventually(() => originsIn(asking, 'expanded').length === 2)
    expect(originsIn(asking, 'expanded')[1]).toEqual([...origins, third])
    for (const stream of others) {
      await eventually(() => originsIn(stream, 'expanded').length === 2)
      expect(stream.text()).not.toContain('origins')
    }
    const { rows } = await server.database.pool.query(
      'select origins from environment_changes where environment_id = $1 and flag_key = $2 order by revision',
      [environment_id, 'expanded'],
    )
    expect(rows.map((row) => row.origins)).toEqual([origins, [...origins, third]])
    for (const stream of [asking, ...others]) stream.close()
  })

  it("a session's stream of an unknown environment is 404, of an invalid id 422", async () => {
    const status = async (id: string) =>
      (await fetch(`${server.url}/stream?environment_id=${id}`, { headers: { cookie: server.cookie } }))
        .status
    expect(await status('00000000-0000-4000-8000-000000000000')).toBe(404)
    expect(await status('x')).toBe(422)
  })

  it("a session's stream ends at logout", async () => {
    const { email, password } = { email: 'ada@example.com', password: 'correct horse battery' }
    const login = await server.call({ path: '/api/auth/login', body: { email, password }, as: 'anonymous' })
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const stream = await readStream(`${server.url}/stream`, { cookie })
    await stream.until(({ event }) => event === 'ready')
    await server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie } })
    await eventually(stream.ended)
  })
})

describe('GET /flags/snapshot', () => {
  const snapshot = (headers: Record<string, string>) => fetch(`${server.url}/flags/snapshot`, { headers })

  it('the snapshot has the flags of the key, as in updates, with ETag and X-Environment-Id', async () => {
    const response = await snapshot(withKey())
    expect(response.status).toBe(200)
    expect(response.headers.get('x-environment-id')).toBe(server.environments.production)
    const etag = response.headers.get('etag') ?? ''
    const body = await response.json()
    expect(body.map((flag: { key: string }) => flag.key)).toEqual(expect.arrayContaining(['one', 'two']))
    const again = await snapshot({ ...withKey(), 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await snapshot({ ...withKey(), 'if-none-match': `"x", W/${etag}` })).status).toBe(304)
    await toggle('one', true)
    const changed = await eventually(async () => {
      const later = await snapshot({ ...withKey(), 'if-none-match': etag })
      return later.status === 200 && later
    })
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  it.each([
    ['gzip', 'gzip'],
    ['*', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['*, gzip;q=0', null],
    ['identity', null],
  ])('the snapshot is compressed as Accept-Encoding: %s allows', async (accepted, expected) => {
    const response = await snapshot({ ...withKey(), 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(expected)
    expect(await response.json()).toEqual(expect.arrayContaining([expect.objectContaining({ key: 'one' })]))
  })

  it('the snapshot is equal, to the byte, on another instance', async () => {
    await server.call({
      path: flags,
      body: { key: 'alpha', is_enabled: true, flag_type: 'json', default_value: { z: 1, a: 2 } },
    })
    const other = await startTestServer({ database: server.database })
    const there = await fetch(`${other.url}/flags/snapshot`, { headers: withKey() })
    const here = await snapshot(withKey())
    expect(there.headers.get('etag')).toBe(here.headers.get('etag'))
    await other.close()
  })

  it('the snapshot is 400 for a session and 401 without a credential', async () => {
    expect((await snapshot({ cookie: server.cookie })).status).toBe(400)
    expect((await snapshot({})).status).toBe(401)
  })
})

describe('browsers of any origin', () => {
  it.each(['/stream', '/flags/snapshot'])(
    'browsers of any origin may call %s after a preflight without a credential',
    async (path) => {
      const headers = {
        origin: 'https://shop.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      }
      const response = await fetch(server.url + path, { method: 'OPTIONS', headers })
      expect(response.status).toBe(204)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      for (const name of ['authorization', 'x-burgee-stream'])
        expect(response.headers.get('access-control-allow-headers')?.split(', ')).toContain(name)
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      const refused = await fetch(server.url + path, { headers: { origin: 'https://shop.example' } })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
    },
  )

  it('browsers of any origin get no CORS headers anywhere else', async () => {
    const response = await fetch(`${server.url}${flags}`, {
      headers: { origin: 'https://shop.example', ...withKey() },
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect((await fetch(`${server.url}${flags}`, { method: 'OPTIONS' })).status).toBe(405)
  })
})
