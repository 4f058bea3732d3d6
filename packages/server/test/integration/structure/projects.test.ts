import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { RESOURCE_AUDIT_TRACE } from '../../harness/audit-trace.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

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
  it('a new project responds with its three environments and the Production key', async () => {
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
      keys_may_manage: true,
      keys_may_manage_effective: true,
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

  it('a new project has a key that works at once, for Production', async () => {
    const { body } = await createProject('Works at once')

    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: body.sdk_key.key } })

    expect(snapshot.status).toBe(200)
    expect(snapshot.headers.get('x-environment-id')).toBe(body.environments[0].id)
  })

  it('the creator of a project is not a member', async () => {
    const { body } = await createProject('Without members')
    const rows = await server.database.db
      .selectFrom('project_members')
      .selectAll()
      .where('project_id', '=', body.id)
      .execute()
    expect(rows).toEqual([])
  })

  it('a new project is 409 when the derived slug exists, and stores nothing', async () => {
    await createProject('Twice Taken')
    const before = await namesSeenBy('admin')

    const { body, status } = await createProject('twice-taken')

    expect(status).toBe(409)
    expect(body).toEqual({ error: expect.stringContaining('twice-taken') })
    expect(await namesSeenBy('admin')).toEqual(before)
  })

  it('of two concurrent projects with the same slug one is created', async () => {
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
  ])('a new project is 422 for %s', async (_, body) => {
    const answer = await server.call({ path: '/api/projects', body })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ error: expect.any(String), details: expect.any(Array) })
  })

  it('a new project is 422 for an empty body', async () => {
    expect((await server.call({ method: 'POST', path: '/api/projects' })).status).toBe(422)
  })

  it('a new project ignores unknown fields', async () => {
    const body = { name: 'Extras', id: 'mine', ['__proto__']: { x: 1 } }
    expect((await server.call({ path: '/api/projects', body })).body).toMatchObject({ slug: 'extras' })
  })

  it('takes a slug, which must be free', async () => {
    const create = (slug: string) => server.call({ path: '/api/projects', body: { name: 'Магазин', slug } })
    expect((await create('magazin')).body).toMatchObject({ name: 'Магазин', slug: 'magazin' })
    expect((await create('magazin')).status).toBe(409)
    for (const slug of ['', 'Magazin', 'a b', 'ä', 'a'.repeat(65)])
      expect((await create(slug)).status).toBe(422)
  })

  it('numbers names without Latin letters, also those that are created at once', async () => {
    const names = ['日本語', 'Проект', '😀', '東京', 'Ελλάδα']
    const answers = await Promise.all(names.map((name) => createProject(name)))
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    expect(answers.map(({ body }) => body.slug).sort()).toEqual([
      'project',
      'project-2',
      'project-3',
      'project-4',
      'project-5',
    ])
    // A name that gives a slug by itself is not numbered.
    expect((await createProject('Project')).status).toBe(409)
  })

  it('creating projects is for workspace admins only: 403 for members and keys, 401 without a credential', async () => {
    const member = await addUser(server, {
      email: 'projectadmin@example.com',
      role: 'editor',
      memberOf: { [server.project.id]: 'admin' },
    })
    expect((await createProject('No', { cookie: member.cookie })).status).toBe(403)
    expect((await createProject('No', { bearer: server.sdkKey })).status).toBe(403)
    expect((await createProject('No', await createClientKey())).status).toBe(403)
    expect((await createProject('No', 'anonymous')).status).toBe(401)
  })

  it('a new project is in the audit log once, without the key', async () => {
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

  it('the key of a new project is stored as its hash only', async () => {
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
  it('the list of projects has all for workspace admins, the oldest first', async () => {
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

  it('the list of projects has those with a membership for others, with full counts', async () => {
    const { body: theirs } = await createProject('Theirs')
    await addUser(server, { email: 'colleague@example.com', memberOf: { [theirs.id]: 'editor' } })
    const user = await addUser(server, {
      email: 'member@example.com',
      role: 'editor',
      memberOf: { [theirs.id]: 'viewer' },
    })

    const { body } = await server.call({ path: '/api/projects', as: { cookie: user.cookie } })

    expect(body).toMatchObject([{ id: theirs.id, environment_count: 3, member_count: 2 }])
  })

  it('the list of projects is empty for a user without a membership', async () => {
    const user = await addUser(server, { email: 'stranger@example.com' })
    expect(await namesSeenBy({ cookie: user.cookie })).toEqual([])
  })

  it('the list of projects has its own for a server key and is 403 for a client key', async () => {
    expect(await namesSeenBy({ bearer: server.sdkKey })).toEqual([server.project.name])
    expect((await server.call({ path: '/api/projects', as: await createClientKey() })).status).toBe(403)
  })

  it('the list of projects is 401 without a credential', async () => {
    expect((await server.call({ path: '/api/projects', as: 'anonymous' })).status).toBe(401)
  })
})

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
type As = Parameters<TestServer['call']>[0]['as']

const rename = (id: string, body: unknown, as: As = 'admin') =>
  server.call({ method: 'PATCH', path: `/api/projects/${id}`, body, as })

const deleteProject = (id: string, as: As = 'admin', on = server) =>
  on.call({ method: 'DELETE', path: `/api/projects/${id}`, as })

const auditOf = (project_id: string, action: string) =>
  server.database.db
    .selectFrom('audit_log')
    .select(['action', 'actor_email', 'environment_id', 'flag_key', 'before_data', 'after_data', 'metadata'])
    .where('project_id', '=', project_id)
    .where('action', '=', action)
    .execute()

describe('PATCH /api/projects/{project_id}', () => {
  it('PATCH renames the project, keeps its slug and responds with the whole project', async () => {
    const { environments: _e, sdk_key: _k, ...project } = (await createProject('Old name')).body
    await addUser(server, { email: 'counted@example.com', memberOf: { [project.id]: 'viewer' } })

    const answer = await rename(project.id, { name: 'New name', slug: 'ignored', id: UNKNOWN_ID })
    const { warnings, ...body } = answer.body

    expect(answer.status).toBe(200)
    expect(warnings).toMatchObject([{ code: 'field_ignored', path: '/slug' }])
    expect(body).toEqual({ ...project, name: 'New name', slug: 'old-name', member_count: 1 })
    expect(await namesSeenBy('admin')).toContain('New name')
  })

  it('PATCH may give a project the name of another, because slugs differ', async () => {
    await createProject('Namesake')
    const { body } = await createProject('Namesake too')
    expect(await rename(body.id, { name: 'Namesake' })).toMatchObject({
      status: 200,
      body: { slug: 'namesake-too' },
    })
  })

  it('PATCH of a project is in the audit log once', async () => {
    const { body } = await createProject('Before')
    await rename(body.id, { name: 'After' })
    expect(await auditOf(body.id, 'update')).toEqual([
      {
        action: 'update',
        actor_email: 'ada@example.com',
        environment_id: null,
        flag_key: '',
        before_data: { name: 'Before', slug: 'before' },
        after_data: { name: 'After', slug: 'before' },
        metadata: {
          origin: 'direct',
          resource: `project:${body.id}`,
          ...RESOURCE_AUDIT_TRACE,
        },
      },
    ])
  })

  it.each([[{}], [{ name: '' }], [{ name: ' ' }], [{ name: null }], [{ name: 1 }], [[]], [undefined]])(
    'PATCH of a project is 422 for the body %j',
    async (body) => {
      expect((await rename(server.project.id, body)).status).toBe(422)
    },
  )

  it('PATCH of a project is for its admins: 403 for its editors and for keys, 404 for an unknown project', async () => {
    const { body: project } = await createProject('Guarded')
    const user = async (email: string, role: 'admin' | 'editor') => ({
      cookie: (await addUser(server, { email, memberOf: { [project.id]: role } })).cookie,
    })
    const name = 'Guarded still'
    expect((await rename(project.id, { name }, await user('g-editor@example.com', 'editor'))).status).toBe(
      403,
    )
    expect((await rename(project.id, { name }, { bearer: project.sdk_key.key })).status).toBe(403)
    expect((await rename(project.id, { name }, 'anonymous')).status).toBe(401)
    expect((await rename(UNKNOWN_ID, { name }, { bearer: project.sdk_key.key })).status).toBe(404)
    expect((await rename(project.id, { name }, await user('g-admin@example.com', 'admin'))).status).toBe(200)
  })
})

describe('DELETE /api/projects/{project_id}', () => {
  it('DELETE removes the project with environments, flags, segments, keys and members, and keeps the audit log', async () => {
    const { body: project } = await createProject('Short-lived')
    const path = `/api/environments/${project.environments[0].id}`
    await server.call({ path: `${path}/flags`, body: { key: 'f', is_enabled: true } })
    await server.call({ path: `${path}/segments`, body: { key: 's', name: 'S' } })
    const user = await addUser(server, { email: 'left@example.com', memberOf: { [project.id]: 'editor' } })

    const { body, status } = await deleteProject(project.id)

    expect([status, body]).toEqual([204, ''])
    expect(await namesSeenBy('admin')).not.toContain('Short-lived')
    expect(await namesSeenBy({ cookie: user.cookie })).toEqual([])
    expect((await server.call({ path: `${path}/flags` })).status).toBe(404)
    expect((await rename(project.id, { name: 'x' })).status).toBe(404)
    expect((await deleteProject(project.id)).status).toBe(404)
    expect(await auditOf(project.id, 'delete')).toMatchObject([
      {
        actor_email: 'ada@example.com',
        before_data: { name: 'Short-lived', slug: 'short-lived' },
        after_data: null,
        metadata: { resource: `project:${project.id}` },
      },
    ])
    expect((await auditOf(project.id, 'create')).length).toBeGreaterThan(1)
    for (const table of ['environments', 'sdk_keys', 'project_members'] as const) {
      const left = await server.database.db
        .selectFrom(table)
        .select('project_id')
        .where('project_id', '=', project.id)
        .execute()
      expect(left).toEqual([])
    }
  })

  it('DELETE ends the keys and streams of the project immediately, on every instance', async () => {
    const other = await startTestServer({ database: server.database })
    const { body: project } = await createProject('Streamed')
    const bearer = project.sdk_key.key
    const headers = { authorization: `Bearer ${bearer}` }
    const streams = await Promise.all([server, other].map(({ url }) => readStream(`${url}/stream`, headers)))
    const narrow = `${server.url}/stream?environment_id=${project.environments[1].id}`
    const narrowed = await readStream(narrow, { cookie: server.cookie })
    const wide = await readStream(`${other.url}/stream`, { cookie: server.cookie })
    for (const stream of [...streams, narrowed, wide]) await stream.until(({ event }) => event === 'ready')

    await deleteProject(project.id)

    expect((await server.call({ path: '/flags/snapshot', as: { bearer } })).status).toBe(401)
    for (const stream of [...streams, narrowed]) await eventually(stream.ended)
    await eventually(
      async () => (await other.call({ path: '/flags/snapshot', as: { bearer } })).status === 401,
    )
    expect((await other.call({ path: '/stream', as: { bearer } })).status).toBe(401)
    // A stream of several projects continues without this one.
    const flags = `/api/environments/${server.environments.production}/flags`
    await server.call({ path: flags, body: { key: 'still-heard', is_enabled: true } })
    await wide.until(({ data }) => data?.flag?.key === 'still-heard')
    expect(wide.ended()).toBe(false)
    wide.close()
    await other.close()
  })

  it('DELETE waits for running writes to its flags and lets none through afterwards', async () => {
    const { body: project } = await createProject('Busy')
    const path = `/api/environments/${project.environments[0].id}/flags`
    const write = (n: number) => server.call({ path, body: { key: `k${n}`, is_enabled: true } })
    const keys = `/api/projects/${project.id}/keys`
    const addKey = () =>
      server.call({ path: keys, body: { name: 'More', environment_id: project.environments[0].id } })
    const environments = `/api/projects/${project.id}/environments`
    const addEnvironment = (n: number) =>
      server.call({ path: environments, body: { name: 'More', slug: `more-${n}` } })
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => write(n)),
      deleteProject(project.id),
      ...Array.from({ length: 6 }, (_, n) => [write(n), addKey(), addEnvironment(n)]).flat(),
    ])
    expect(answers[6]?.status).toBe(204)
    const refused = answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 204)
    // A key's environment is named in the body, where an unknown one is 422.
    expect(refused.filter((status) => status !== 404 && status !== 422)).toEqual([])
    expect((await write(99)).status).toBe(404)
  })

  it('DELETE of a project is for workspace admins: 403 for its admin and its key, 401 without a credential', async () => {
    const { body: project } = await createProject('Protected')
    const admin = await addUser(server, {
      email: 'p-admin@example.com',
      role: 'editor',
      memberOf: { [project.id]: 'admin' },
    })
    expect((await deleteProject(project.id, { cookie: admin.cookie })).status).toBe(403)
    expect((await deleteProject(project.id, { bearer: project.sdk_key.key })).status).toBe(403)
    expect((await deleteProject(project.id, 'anonymous')).status).toBe(401)
    expect((await deleteProject(UNKNOWN_ID, { cookie: admin.cookie })).status).toBe(404)
    expect((await deleteProject(UNKNOWN_ID)).status).toBe(404)
  })
})

describe('the last project', () => {
  it('the last project cannot be deleted, and of concurrent deletions one project stays', async () => {
    const own = await startTestServer()
    const ids = [own.project.id]
    for (const name of ['Two', 'Three', 'Four']) {
      ids.push((await own.call({ path: '/api/projects', body: { name } })).body.id)
    }
    const answers = await Promise.all(ids.map((id) => deleteProject(id, 'admin', own)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 204, 422])
    const { body: left } = await own.call({ path: '/api/projects' })
    expect(left).toHaveLength(1)
    const refused = await deleteProject(left[0].id, 'admin', own)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ error: expect.stringContaining('last project') })
    const { body: environments } = await own.call({ path: `/api/projects/${left[0].id}/environments` })
    expect(environments).toHaveLength(3)
    await own.close()
  })
})
