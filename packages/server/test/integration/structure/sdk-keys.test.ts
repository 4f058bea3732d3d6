import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type As = Parameters<TestServer['call']>[0]['as']
interface Place {
  readonly id: string
  readonly environments: readonly { readonly id: string }[]
  readonly sdk_key: { readonly id: number; readonly key: string }
}

let projectsMade = 0
/** Creates a project for the test, with its one key. */
const newProject = async (): Promise<Place> => {
  projectsMade += 1
  return (await server.call({ path: '/api/projects', body: { name: `Keys ${projectsMade}` } })).body
}

const environmentOf = (place: Place, index: number): string => place.environments[index]?.id ?? ''

const createKey = (place: Place, body: object, as: As = 'admin') =>
  server.call({ path: `/api/projects/${place.id}/keys`, body, as })

const newKey = async (place: Place, over: object = {}) =>
  (await createKey(place, { name: 'Extra', environment_id: environmentOf(place, 0), ...over })).body

const revoke = (place: { id: string }, id: number | string, as: As = 'admin') =>
  server.call({ method: 'DELETE', path: `/api/projects/${place.id}/keys/${id}`, as })

const listKeys = (place: { id: string }, as: As = 'admin') =>
  server.call({ path: `/api/projects/${place.id}/keys`, as })

const snapshotStatus = async (key: string) =>
  (await server.call({ path: '/flags/snapshot', as: { bearer: key } })).status

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

let place: Place
beforeEach(async () => {
  place = await newProject()
})

describe('POST /api/projects/{project_id}/keys', () => {
  it('a new key responds with the record and the full key, which no other response has', async () => {
    const environment_id = environmentOf(place, 1)
    const { body, headers, status } = await createKey(place, { name: 'Backend', environment_id })

    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Backend',
      key: expect.stringMatching(/^sk_live_[\w-]{43}$/),
      prefix: expect.stringMatching(/^sk_live_.{4}…$/),
      kind: 'server',
      parent_id: null,
      environment_id,
      environment_name: 'Staging',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(body.key.startsWith(body.prefix.slice(0, -1))).toBe(true)
    expect(headers.get('cache-control')).toBe('no-store')
    const { body: listed } = await listKeys(place)
    const { key, ...record } = body
    expect(listed.at(-1)).toEqual({ ...record, last_used_at: null, streams: 0 })
    expect(JSON.stringify(listed)).not.toContain(key)
  })

  it('a new key works at once, for its own environment', async () => {
    const { key } = await newKey(place, { environment_id: environmentOf(place, 2) })
    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: key } })
    expect(snapshot.status).toBe(200)
    expect(snapshot.headers.get('x-environment-id')).toBe(environmentOf(place, 2))
  })

  it('a new key accepts an environment id in upper case', async () => {
    const environment_id = environmentOf(place, 0)
    expect(await newKey(place, { environment_id: environment_id.toUpperCase() })).toMatchObject({
      environment_id,
    })
  })

  it('several keys may have one name', async () => {
    const one = await newKey(place)
    const two = await newKey(place)
    expect(one.key).not.toBe(two.key)
  })

  it.each([
    ['an unknown environment', { environment_id: UNKNOWN_ID }],
    ['an environment id that is no UUID', { environment_id: 'production' }],
    ['a UUID in another spelling', { environment_id: `urn:uuid:${UNKNOWN_ID}` }],
    ['no environment', { environment_id: undefined }],
    ['an environment of null', { environment_id: null }],
    ['no name', { name: undefined }],
    ['a blank name', { name: ' ' }],
    ['an unknown kind', { kind: 'admin' }],
    ['a kind of null', { kind: null }],
  ])('a new key is 422 for %s', async (_, over) => {
    const answer = await createKey(place, { name: 'Extra', environment_id: environmentOf(place, 0), ...over })
    expect(answer.status).toBe(422)
    expect(answer.body.details.length).toBeGreaterThan(0)
  })

  it('a new key is 422 for an environment of another project', async () => {
    const other = await newProject()
    const answer = await createKey(place, { name: 'Extra', environment_id: environmentOf(other, 0) })
    expect(answer).toMatchObject({ status: 422, body: { details: [{ path: '/environment_id' }] } })
  })

  it('only the SHA-256 of a key is stored, and nothing of it is logged', async () => {
    const { id, key } = await newKey(place)
    const { rows } = await server.database.pool.query(
      `select key_hash, encode(sha256($2::bytea), 'hex') as expected, sdk_keys::text as everything
       from sdk_keys where id = $1`,
      [id, Buffer.from(key)],
    )
    expect(rows[0].key_hash).toBe(rows[0].expected)
    expect(rows[0].everything).not.toContain(key)
    expect(server.logged()).not.toContain(key)
  })
})

describe('DELETE /api/projects/{project_id}/keys/{id}', () => {
  it('DELETE ends the key immediately: 401 from then on', async () => {
    const { id, key } = await newKey(place)
    expect(await snapshotStatus(key)).toBe(200)

    expect(await revoke(place, id)).toMatchObject({ status: 204, body: '' })

    expect(await snapshotStatus(key)).toBe(401)
    expect((await listKeys(place, { bearer: key })).status).toBe(401)
    expect(await snapshotStatus(place.sdk_key.key)).toBe(200)
  })

  it.each(['%20ID', '+ID', 'ID.0', '0ID', 'IDe0', '1e400', '99999999999'])(
    'DELETE is 404 for %s, and no key is revoked',
    async (spelling) => {
      const { id } = await newKey(place)
      expect((await revoke(place, spelling.replace('ID', String(id)))).status).toBe(404)
      const { body } = await listKeys(place, { bearer: place.sdk_key.key })
      expect(body.map((key: { id: number }) => key.id)).toContain(id)
    },
  )

  it('DELETE ends the open streams of the key and not those of others', async () => {
    const { id, key } = await newKey(place)
    const revoked = await readStream(`${server.url}/stream?sdk_key=${key}`)
    const other = await readStream(`${server.url}/stream`, { authorization: `Bearer ${place.sdk_key.key}` })
    await revoked.until(({ event }) => event === 'ready')
    await other.until(({ event }) => event === 'ready')

    await revoke(place, id)

    await eventually(() => revoked.ended())
    expect(other.ended()).toBe(false)
    other.close()
  })

  it('DELETE is 422 for the last key of the project', async () => {
    expect((await revoke(place, place.sdk_key.id)).status).toBe(422)
    expect(await snapshotStatus(place.sdk_key.key)).toBe(200)
  })

  it('of the last two keys one stays when both are revoked at the same time', async () => {
    const second = await newKey(place, { kind: 'client' })

    const answers = await Promise.all([revoke(place, place.sdk_key.id), revoke(place, second.id)])

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
    expect((await listKeys(place)).body).toHaveLength(1)
  })

  it('of several concurrent revocations of a key one succeeds', async () => {
    const { id } = await newKey(place)
    await newKey(place)
    const answers = await Promise.all(Array.from({ length: 5 }, () => revoke(place, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
  })

  it.each([
    '0',
    '-1',
    '-1e400',
    '2147483647',
    '2147483648',
    '99999999999999999999',
    '1.5',
    'x',
    '%00',
    '1e400',
  ])('DELETE of a key is 404 for the id %s', async (id) => {
    expect((await revoke(place, id)).status).toBe(404)
  })

  it('DELETE is 404 for a key of another project', async () => {
    const other = await newProject()
    await newKey(other)
    expect((await revoke(place, other.sdk_key.id)).status).toBe(404)
    expect(await snapshotStatus(other.sdk_key.key)).toBe(200)
  })

  it('a key may revoke itself', async () => {
    const { id, key } = await newKey(place)
    expect((await revoke(place, id, { bearer: key })).status).toBe(204)
    expect(await snapshotStatus(key)).toBe(401)
  })
})

describe('GET /api/projects/{project_id}/keys', () => {
  it('the list of keys has those of the project, the oldest first', async () => {
    const { key, ...record } = await newKey(place, { kind: 'client', name: 'Browser' })
    const { body } = await listKeys(place)
    expect(body).toHaveLength(2)
    expect(body[0]).toMatchObject({ id: place.sdk_key.id, name: 'Production', kind: 'server' })
    expect(body[1]).toEqual({ ...record, last_used_at: null, streams: 0 })
    expect(key).toContain('sk_live_')
  })
})

describe('roles and SDK keys', () => {
  it.each([
    ['viewer', 200, 403],
    ['editor', 200, 403],
    ['admin', 200, 200],
  ] as const)(
    'a member who is %s gets %i for reading keys and %i for creating one',
    async (role, reads, creates) => {
      const user = await addUser(server, {
        email: `${role}-${place.id}@example.com`,
        memberOf: { [place.id]: role },
      })
      const as = { cookie: user.cookie }
      const extra = await newKey(place)

      expect((await listKeys(place, as)).status).toBe(reads)
      expect(
        (await createKey(place, { name: 'Mine', environment_id: environmentOf(place, 0) }, as)).status,
      ).toBe(creates)
      expect((await revoke(place, extra.id, as)).status).toBe(creates === 200 ? 204 : 403)
    },
  )

  it('users without a membership get 403 for keys, whatever their role in the workspace', async () => {
    const user = await addUser(server, { email: `stranger-${place.id}@example.com`, role: 'editor' })
    const as = { cookie: user.cookie }
    expect((await listKeys(place, as)).status).toBe(403)
    expect(
      (await createKey(place, { name: 'Mine', environment_id: environmentOf(place, 0) }, as)).status,
    ).toBe(403)
    expect((await revoke(place, place.sdk_key.id, as)).status).toBe(403)
  })

  it('a change of keys by cookie without X-Flagservice-Request is 403', async () => {
    const path = `/api/projects/${place.id}/keys`
    const body = { name: 'Extra', environment_id: environmentOf(place, 0) }
    const answer = await server.call({ path, body, as: 'anonymous', headers: { cookie: server.cookie } })
    expect(answer.status).toBe(403)
  })

  it('for keys 404 comes before 403, and 403 before 422', async () => {
    const user = await addUser(server, { email: `order-${place.id}@example.com` })
    const as = { cookie: user.cookie }
    expect((await revoke(place, 2_147_483_647, as)).status).toBe(404)
    expect((await listKeys({ id: UNKNOWN_ID }, as)).status).toBe(404)
    expect((await createKey(place, {}, as)).status).toBe(403)
  })
})

describe('rights of a server key', () => {
  it('a server key reads the keys of its project, creates and revokes those of its environment', async () => {
    const as = { bearer: place.sdk_key.key }
    expect((await listKeys(place, as)).body).toHaveLength(1)
    const created = await createKey(place, { name: 'Another', environment_id: environmentOf(place, 0) }, as)
    expect(created.status).toBe(200)
    expect((await revoke(place, created.body.id, as)).status).toBe(204)
  })

  it('a server key is 403 for creating a key of another environment, of another project or of none', async () => {
    const as = { bearer: place.sdk_key.key }
    const other = await newProject()
    for (const environment_id of [environmentOf(place, 1), environmentOf(other, 0), UNKNOWN_ID]) {
      expect((await createKey(place, { name: 'No', environment_id }, as)).status).toBe(403)
    }
    expect((await createKey(other, { name: 'No', environment_id: environmentOf(other, 0) }, as)).status).toBe(
      403,
    )
  })

  it('a server key is 403 for revoking a key of another environment or project', async () => {
    const as = { bearer: place.sdk_key.key }
    const staging = await newKey(place, { environment_id: environmentOf(place, 1) })
    const other = await newProject()
    expect((await revoke(place, staging.id, as)).status).toBe(403)
    expect((await revoke(other, other.sdk_key.id, as)).status).toBe(403)
    expect((await listKeys(other, as)).status).toBe(403)
    expect(await snapshotStatus(staging.key)).toBe(200)
  })

  it('a server key needs no X-Flagservice-Request', async () => {
    const created = await createKey(
      place,
      { name: 'Another', environment_id: environmentOf(place, 0) },
      { bearer: place.sdk_key.key },
    )
    expect(created.status).toBe(200)
  })
})

describe('rights of a client key', () => {
  it('a client key reads flags and nothing of the control plane: 403', async () => {
    const { key } = await newKey(place, { kind: 'client' })
    const as = { bearer: key }

    expect(await snapshotStatus(key)).toBe(200)
    const stream = await readStream(`${server.url}/stream?sdk_key=${key}`)
    await stream.until(({ event }) => event === 'ready')
    stream.close()

    expect((await listKeys(place, as)).status).toBe(403)
    expect((await createKey(place, { name: 'No', environment_id: environmentOf(place, 0) }, as)).status).toBe(
      403,
    )
    expect((await revoke(place, place.sdk_key.id, as)).status).toBe(403)
    expect((await server.call({ path: '/api/projects', as })).status).toBe(403)
    expect(
      (await server.call({ path: `/api/environments/${environmentOf(place, 0)}/flags`, as })).status,
    ).toBe(403)
  })
})

describe('SDK keys in the audit log', () => {
  it('the audit log has the creation and the revocation of a key, with the actor, and never the key', async () => {
    const created = await newKey(place, { name: 'Audited', kind: 'client' })
    const as = { bearer: place.sdk_key.key }
    await revoke(place, created.id, as)

    const entries = await server.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('project_id', '=', place.id)
      .where('environment_id', '=', environmentOf(place, 0))
      .orderBy('id')
      .execute()

    const common = { flag_key: '', metadata: { origin: 'direct', resource: `sdk_key:${created.id}` } }
    const shown = { name: 'Audited', kind: 'client', prefix: created.prefix }
    expect(entries).toMatchObject([
      { ...common, action: 'create', actor_email: 'ada@example.com', before_data: null, after_data: shown },
      {
        ...common,
        action: 'delete',
        actor_email: 'sdk-key:Production',
        before_data: shown,
        after_data: null,
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(created.key)
  })
})

describe('two instances on one database', () => {
  it('a key revoked on one instance is refused on another', async () => {
    const second = await startTestServer({ database: server.database })
    const { id, key } = await newKey(place)
    const as = { bearer: key }
    expect((await second.call({ path: '/flags/snapshot', as })).status).toBe(200)
    const stream = await readStream(`${second.url}/stream?sdk_key=${key}`)
    await stream.until(({ event }) => event === 'ready')

    await revoke(place, id)

    await eventually(async () => (await second.call({ path: '/flags/snapshot', as })).status === 401)
    await eventually(() => stream.ended())
    await second.close()
  })
})

describe('the legacy SDK_KEY', () => {
  it('the legacy SDK_KEY is a server key of the default environment of the oldest project, without a record', async () => {
    const second = await startTestServer({
      database: server.database,
      env: { SDK_KEY: 'sk_live_the-legacy-one' },
    })
    const as = { bearer: 'sk_live_the-legacy-one' }

    const snapshot = await second.call({ path: '/flags/snapshot', as })
    expect(snapshot.headers.get('x-environment-id')).toBe(server.environments.development)
    const flag = { key: 'made-by-legacy', is_enabled: true }
    const path = `/api/environments/${server.environments.development}/flags`
    expect((await second.call({ path, body: flag, as })).status).toBe(200)
    expect((await second.call({ path: `/api/projects/${server.project.id}/keys`, as })).body).toHaveLength(1)
    const entry = await server.database.db
      .selectFrom('audit_log')
      .select('actor_email')
      .where('flag_key', '=', 'made-by-legacy')
      .executeTakeFirstOrThrow()
    expect(entry.actor_email).toBe('sdk-key:SDK_KEY')
    expect(await snapshotStatus('sk_live_the-legacy-one')).toBe(401)
    await second.close()
  })
})
