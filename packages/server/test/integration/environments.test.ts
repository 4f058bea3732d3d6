import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  defaultEnvironmentOfOldestProject,
  findEnvironmentScope,
  readableEnvironments,
} from '../../src/features/environments/index.ts'
import { findProjectScope } from '../../src/features/projects/index.ts'
import { addUser, type TestUser } from '../harness/add-user.ts'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'

let server: TestServer
let other: { id: string; environments: { id: string }[]; sdk_key: { key: string } }
let viewer: TestUser
beforeAll(async () => {
  server = await startTestServer()
  other = (await server.call({ path: '/api/projects', body: { name: 'Other' } })).body
  viewer = await addUser(server, {
    email: 'viewer@example.com',
    member_of: { [server.project.id]: 'viewer' },
  })
})
afterAll(() => server.close())

type As = Parameters<TestServer['call']>[0]['as']
const list = (project_id: string, as: As = 'admin') =>
  server.call({ path: `/api/projects/${project_id}/environments`, as })

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

describe('GET /api/projects/{project_id}/environments', () => {
  it('lists the environments in the order they were created, with one default', async () => {
    const { body, status } = await list(server.project.id)
    expect(status).toBe(200)
    expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(['production', 'staging', 'development'])
    expect(body.filter(({ is_default }: { is_default: boolean }) => is_default)).toMatchObject([
      { slug: 'development' },
    ])
    expect(Object.keys(body[0]).sort()).toEqual(
      [
        'approval_scope',
        'color',
        'created_at',
        'id',
        'is_default',
        'name',
        'require_approval',
        'slug',
      ].sort(),
    )
  })

  it('is for members of any role and for a server key of the project', async () => {
    expect((await list(server.project.id, { cookie: viewer.cookie })).status).toBe(200)
    expect((await list(server.project.id, { bearer: server.sdkKey })).status).toBe(200)
  })

  it('answers 403 to users without a membership and to keys of another project', async () => {
    expect((await list(other.id, { cookie: viewer.cookie })).status).toBe(403)
    expect((await list(other.id, { bearer: server.sdkKey })).status).toBe(403)
  })

  it('answers 403 to a client key', async () => {
    const body = { name: 'Browser', environment_id: server.environments.production, kind: 'client' }
    const { body: key } = await server.call({ path: `/api/projects/${server.project.id}/keys`, body })
    expect((await list(server.project.id, { bearer: key.key })).status).toBe(403)
  })

  it('answers 401 to nobody, and to an unknown key also beside a good cookie', async () => {
    expect((await list(server.project.id, 'anonymous')).status).toBe(401)
    const headers = { authorization: 'Bearer sk_live_unknown' }
    const path = `/api/projects/${server.project.id}/environments`
    expect((await server.call({ path, headers })).status).toBe(401)
  })

  it.each([
    UNKNOWN_ID,
    'x',
    '1',
    `urn:uuid:${UNKNOWN_ID}`,
    `{${UNKNOWN_ID}}`,
    '%00',
    `${UNKNOWN_ID}x`,
    '%F0%9F%98%80',
  ])('answers 404 for the project %s', async (id) => {
    expect((await list(id)).status).toBe(404)
  })

  it('takes the id in upper case too', async () => {
    expect((await list(server.project.id.toUpperCase())).body).toHaveLength(3)
  })
})

describe('the scope of a path', () => {
  it('names the project, the environment and the membership of the user', async () => {
    const { db } = server.database
    const id = server.environments.staging
    expect(await findEnvironmentScope(db, id, viewer.id)).toEqual({
      project_id: server.project.id,
      membership: 'viewer',
      environment: { id },
    })
    expect(await findProjectScope(db, server.project.id, viewer.id)).toEqual({
      project_id: server.project.id,
      membership: 'viewer',
      environment: null,
    })
  })

  it('has no membership for another project, nor for an SDK key', async () => {
    const { db } = server.database
    const [foreign] = other.environments
    expect(await findEnvironmentScope(db, foreign?.id ?? '', viewer.id)).toMatchObject({ membership: null })
    expect(await findProjectScope(db, other.id, viewer.id)).toMatchObject({ membership: null })
    expect(await findProjectScope(db, server.project.id, null)).toMatchObject({ membership: null })
    expect(await findEnvironmentScope(db, server.environments.staging, null)).toMatchObject({
      membership: null,
    })
  })

  it('is nothing where there is nothing', async () => {
    expect(await findEnvironmentScope(server.database.db, UNKNOWN_ID, viewer.id)).toBeNull()
    expect(await findProjectScope(server.database.db, UNKNOWN_ID, viewer.id)).toBeNull()
  })
})

describe('the environments that users may read', () => {
  it('are all for a workspace admin, those of their projects for others', async () => {
    const admin = await addUser(server, { email: 'second-admin@example.com', role: 'admin' })
    const stranger = await addUser(server, { email: 'stranger@example.com', role: 'editor' })

    const readable = await readableEnvironments(server.database.db, [
      admin.id,
      viewer.id,
      stranger.id,
      987_654,
    ])

    const own = Object.values(server.environments)
    expect([...(readable.get(viewer.id) ?? [])].sort()).toEqual([...own].sort())
    const all = [...own, ...other.environments.map(({ id }) => id)]
    expect([...(readable.get(admin.id) ?? [])].sort()).toEqual(all.sort())
    expect(readable.has(stranger.id)).toBe(false)
    expect(readable.size).toBe(2)
  })

  it('are none for nobody', async () => {
    expect(await readableEnvironments(server.database.db, [])).toEqual(new Map())
  })
})

describe('the environment that the legacy SDK_KEY stands for', () => {
  it('is the default environment of the oldest project', async () => {
    expect(await defaultEnvironmentOfOldestProject(server.database.db)).toEqual({
      project_id: server.project.id,
      environment_id: server.environments.development,
    })
  })

  it('is none before set-up', async () => {
    const fresh = await startTestServer({ set_up: false })
    expect(await defaultEnvironmentOfOldestProject(fresh.database.db)).toBeNull()
    await fresh.close()
  })
})
