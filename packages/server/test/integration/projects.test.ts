import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../harness/add-user.ts'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const createProject = (name: unknown, as?: Parameters<TestServer['call']>[0]['as']) =>
  server.call({ path: '/api/projects', body: { name }, ...(as && { as }) })

const namesSeenBy = async (as: Parameters<TestServer['call']>[0]['as']) => {
  const { body } = await server.call({ path: '/api/projects', ...(as && { as }) })
  return body.map(({ name }: { name: string }) => name)
}

const createClientKey = async () => {
  const body = { name: 'Browser', environment_id: server.environments.production, kind: 'client' }
  const created = await server.call({ path: `/api/projects/${server.project.id}/keys`, body })
  return { bearer: created.body.key }
}

describe('POST /api/projects', () => {
  it('answers with the project, its three environments and the Production key', async () => {
    const { body, status } = await createProject('Café Web')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Café Web',
      slug: 'cafe-web',
      environment_count: 3,
      member_count: 0,
      id: expect.stringMatching(UUID),
      created_at: expect.stringMatching(TIMESTAMP),
    })
    expect(
      body.environments.map(({ color, is_default, name, slug }: Record<string, unknown>) => [
        name,
        slug,
        color,
        is_default,
      ]),
    ).toEqual([
      ['Production', 'production', '#ef4444', false],
      ['Staging', 'staging', '#f59e0b', false],
      ['Development', 'development', '#22c55e', true],
    ])
    expect(body.environments[0]).toMatchObject({
      require_approval: false,
      approval_scope: 'patch',
      created_at: body.created_at,
    })
    expect(body.sdk_key).toMatchObject({
      kind: 'server',
      environment_id: body.environments[0].id,
      environment_name: 'Production',
      key: expect.stringMatching(/^sk_live_[\w-]{43}$/),
      prefix: expect.stringMatching(/^sk_live_.{4}…$/),
    })
  })

  it('gives a key that works at once, for Production', async () => {
    const { body } = await createProject('Works at once')

    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: body.sdk_key.key } })

    expect(snapshot.status).toBe(200)
    expect(snapshot.headers.get('x-environment-id')).toBe(body.environments[0].id)
  })

  it('does not make the creator a member', async () => {
    const { body } = await createProject('Without members')
    const rows = await server.database.db
      .selectFrom('project_members')
      .selectAll()
      .where('project_id', '=', body.id)
      .execute()
    expect(rows).toEqual([])
  })

  it('answers 409 when the derived slug exists, and stores nothing', async () => {
    await createProject('Twice Taken')
    const before = await namesSeenBy('admin')

    const { body, status } = await createProject('twice-taken')

    expect(status).toBe(409)
    expect(body).toEqual({ error: expect.stringContaining('twice-taken') })
    expect(await namesSeenBy('admin')).toEqual(before)
  })

  it('creates one of two with the same slug at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => createProject('Race')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a blank name', { name: '  ' }],
    ['a name of null', { name: null }],
    ['a name that is a number', { name: 7 }],
    ['NUL in the name', { name: 'a\0b' }],
    ['a lone surrogate in the name', { name: 'a\ud800' }],
    ['a body that is a list', []],
  ])('answers 422 for %s', async (_, body) => {
    const answer = await server.call({ path: '/api/projects', body })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ error: expect.any(String), details: expect.any(Array) })
  })

  it('answers 422 for an empty body', async () => {
    expect((await server.call({ method: 'POST', path: '/api/projects' })).status).toBe(422)
  })

  it('ignores fields that it does not know', async () => {
    const body = { name: 'Extras', id: 'mine', slug: 'mine', ['__proto__']: { x: 1 } }
    expect((await server.call({ path: '/api/projects', body })).body).toMatchObject({ slug: 'extras' })
  })

  it('is for workspace admins only: 403 for members, keys of either kind, 401 for nobody', async () => {
    const member = await addUser(server, {
      email: 'projectadmin@example.com',
      role: 'editor',
      member_of: { [server.project.id]: 'admin' },
    })
    expect((await createProject('No', { cookie: member.cookie })).status).toBe(403)
    expect((await createProject('No', { bearer: server.sdkKey })).status).toBe(403)
    expect((await createProject('No', await createClientKey())).status).toBe(403)
    expect((await createProject('No', 'anonymous')).status).toBe(401)
  })

  it('is written to the audit log once, without the key', async () => {
    const { body } = await createProject('Audited')
    const entries = await server.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('project_id', '=', body.id)
      .execute()
    expect(entries).toMatchObject([
      {
        action: 'create',
        flag_key: '',
        environment_id: null,
        actor_email: 'ada@example.com',
        before_data: null,
        after_data: { name: 'Audited', slug: 'audited' },
        metadata: { origin: 'direct', resource: `project:${body.id}` },
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(body.sdk_key.key)
  })

  it('stores the key as its hash only', async () => {
    const { body } = await createProject('Hashed')
    const { rows } = await server.database.pool.query('select * from sdk_keys where id = $1', [
      body.sdk_key.id,
    ])
    expect(JSON.stringify(rows)).not.toContain(body.sdk_key.key)
    expect(rows[0].key_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(server.logged()).not.toContain(body.sdk_key.key)
  })
})

describe('GET /api/projects', () => {
  it('lists all for workspace admins, the oldest first', async () => {
    const { body: one } = await createProject('Listed one')
    const { body: two } = await createProject('Listed two')

    const { body } = await server.call({ path: '/api/projects' })

    expect(body[0].id).toBe(server.project.id)
    expect(body.slice(-2)).toEqual(
      [one, two].map(({ environments, sdk_key, ...project }) => {
        expect(environments.length + sdk_key.key.length).toBeGreaterThan(3)
        return project
      }),
    )
  })

  it('lists those with a membership for others, with the counts of all', async () => {
    const { body: theirs } = await createProject('Theirs')
    await addUser(server, { email: 'colleague@example.com', member_of: { [theirs.id]: 'editor' } })
    const user = await addUser(server, {
      email: 'member@example.com',
      role: 'editor',
      member_of: { [theirs.id]: 'viewer' },
    })

    const { body } = await server.call({ path: '/api/projects', as: { cookie: user.cookie } })

    expect(body).toMatchObject([{ id: theirs.id, environment_count: 3, member_count: 2 }])
  })

  it('lists none for a user without a membership', async () => {
    const user = await addUser(server, { email: 'stranger@example.com' })
    expect(await namesSeenBy({ cookie: user.cookie })).toEqual([])
  })

  it('lists its own for a server key and answers 403 to a client key', async () => {
    expect(await namesSeenBy({ bearer: server.sdkKey })).toEqual([server.project.name])
    expect((await server.call({ path: '/api/projects', as: await createClientKey() })).status).toBe(403)
  })

  it('answers 401 to nobody', async () => {
    expect((await server.call({ path: '/api/projects', as: 'anonymous' })).status).toBe(401)
  })
})
