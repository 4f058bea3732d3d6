import { ROLE_PERMISSIONS } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  defaultEnvironmentOfOldestProject,
  findEnvironmentScope,
  readableEnvironments,
} from '../../../src/structure/environments/index.ts'
import { findProjectScope } from '../../../src/structure/projects/index.ts'
import { addUser, type TestUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const VIEWER = {
  inProject: { role: 'viewer', permissions: ROLE_PERMISSIONS.viewer },
  overrides: new Map(),
}

let server: TestServer
let other: { id: string; environments: { id: string }[]; sdk_key: { key: string } }
let viewer: TestUser
beforeAll(async () => {
  server = await startTestServer()
  other = (await server.call({ path: '/api/projects', body: { name: 'Other' } })).body
  viewer = await addUser(server, {
    email: 'viewer@example.com',
    memberOf: { [server.project.id]: 'viewer' },
  })
})
afterAll(() => server.close())

type As = Parameters<TestServer['call']>[0]['as']
const list = (project_id: string, as: As = 'admin') =>
  server.call({ path: `/api/projects/${project_id}/environments`, as })

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

interface Place {
  readonly id: string
  readonly environments: readonly [production: Named, staging: Named, development: Named]
  readonly sdk_key: { readonly id: number; readonly key: string }
}
interface Named {
  readonly id: string
  readonly slug: string
}

let projectsMade = 0
/** Creates a project for the test. */
const newProject = async (): Promise<Place> => {
  projectsMade += 1
  return (await server.call({ path: '/api/projects', body: { name: `Place ${projectsMade}` } })).body
}

const create = (place: { id: string }, body: unknown, as: As = 'admin') =>
  server.call({ method: 'POST', path: `/api/projects/${place.id}/environments`, body, as })

const pathOf = (place: { id: string }, { id }: { id: string }) =>
  `/api/projects/${place.id}/environments/${id}`

const patch = (place: { id: string }, environment: { id: string }, body: unknown, as: As = 'admin') =>
  server.call({ method: 'PATCH', path: pathOf(place, environment), body, as })

const remove = (place: { id: string }, environment: { id: string }, as: As = 'admin') =>
  server.call({ method: 'DELETE', path: pathOf(place, environment), as })

const makeDefault = (place: { id: string }, environment: { id: string }, as: As = 'admin') =>
  server.call({ method: 'POST', path: `${pathOf(place, environment)}/default`, as })

const defaultsOf = async (place: { id: string }): Promise<string[]> =>
  (await list(place.id)).body
    .filter(({ is_default }: { is_default: boolean }) => is_default)
    .map(({ id }: Named) => id)

const auditOf = (environment_id: string) =>
  server.database.db
    .selectFrom('audit_log')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .where('flag_key', '=', '')
    .orderBy('id')
    .execute()

/** Creates a member of the project with that role, signed in. */
const memberOf = async (place: { id: string }, role: 'admin' | 'editor' | 'viewer') => {
  const email = `${role}-${place.id}@example.com`
  return { cookie: (await addUser(server, { email, memberOf: { [place.id]: role } })).cookie }
}

describe('GET /api/projects/{project_id}/environments', () => {
  it('the list of environments is in the order of creation, with one default', async () => {
    const { body, status } = await list(server.project.id)
    expect(status).toBe(200)
    expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(['production', 'staging', 'development'])
    expect(body.filter(({ is_default }: { is_default: boolean }) => is_default)).toMatchObject([
      { slug: 'development' },
    ])
    expect(Object.keys(body[0]).sort()).toEqual(
      [
        'approval_scope',
        'approvers',
        'min_approvals',
        'color',
        'created_at',
        'history_since',
        'id',
        'is_default',
        'keys_may_manage',
        'keys_may_manage_effective',
        'name',
        'require_approval',
        'require_comment',
        'seen_users',
        'private_attributes',
        'slug',
      ].sort(),
    )
  })

  it('the list of environments is for members of any role and for a server key of the project', async () => {
    expect((await list(server.project.id, { cookie: viewer.cookie })).status).toBe(200)
    expect((await list(server.project.id, { bearer: server.sdkKey })).status).toBe(200)
  })

  it('the list of environments is 403 for users without a membership and for keys of another project', async () => {
    expect((await list(other.id, { cookie: viewer.cookie })).status).toBe(403)
    expect((await list(other.id, { bearer: server.sdkKey })).status).toBe(403)
  })

  it('the list of environments is 403 for a client key', async () => {
    const body = { name: 'Browser', environment_id: server.environments.production, kind: 'client' }
    const { body: key } = await server.call({ path: `/api/projects/${server.project.id}/keys`, body })
    expect((await list(server.project.id, { bearer: key.key })).status).toBe(403)
  })

  it('the list of environments is 401 without a credential, and for an unknown key also with a valid cookie', async () => {
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
  ])('the list of environments is 404 for the project %s', async (id) => {
    expect((await list(id)).status).toBe(404)
  })

  it('the list of environments accepts the id in upper case', async () => {
    expect((await list(server.project.id.toUpperCase())).body).toHaveLength(3)
  })
})

describe('the scope of a path', () => {
  it('the scope of a path has the project, the environment and the membership of the user', async () => {
    const { db } = server.database
    const id = server.environments.staging
    expect(await findEnvironmentScope(db, id, viewer.id)).toEqual({
      project_id: server.project.id,
      membership: VIEWER,
      environment: { id },
    })
    expect(await findProjectScope(db, server.project.id, viewer.id)).toEqual({
      project_id: server.project.id,
      membership: VIEWER,
      environment: null,
    })
  })

  it('the scope has no membership for another project, or for an SDK key', async () => {
    const { db } = server.database
    const [foreign] = other.environments
    expect(await findEnvironmentScope(db, foreign?.id ?? '', viewer.id)).toMatchObject({ membership: null })
    expect(await findProjectScope(db, other.id, viewer.id)).toMatchObject({ membership: null })
    expect(await findProjectScope(db, server.project.id, null)).toMatchObject({ membership: null })
    expect(await findEnvironmentScope(db, server.environments.staging, null)).toMatchObject({
      membership: null,
    })
  })

  it('the scope is undefined when nothing exists', async () => {
    expect(await findEnvironmentScope(server.database.db, UNKNOWN_ID, viewer.id)).toBeNull()
    expect(await findProjectScope(server.database.db, UNKNOWN_ID, viewer.id)).toBeNull()
  })
})

describe('the environments that users may read', () => {
  it('readable environments are all for a workspace admin, those of their projects for others', async () => {
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

  it('readable environments are empty for no users', async () => {
    expect(await readableEnvironments(server.database.db, [])).toEqual(new Map())
  })
})

describe('the environment of the legacy SDK_KEY', () => {
  it('the legacy SDK_KEY belongs to the default environment of the oldest project', async () => {
    expect(await defaultEnvironmentOfOldestProject(server.database.db)).toEqual({
      project_id: server.project.id,
      environment_id: server.environments.development,
      mayManage: true,
    })
  })

  it('the legacy SDK_KEY has no environment before set-up', async () => {
    const fresh = await startTestServer({ setUp: false })
    expect(await defaultEnvironmentOfOldestProject(fresh.database.db)).toBeNull()
    await fresh.close()
  })
})

describe('POST /api/projects/{project_id}/environments', () => {
  it('POST adds an environment at the end of the list, indigo unless it names a color', async () => {
    const place = await newProject()
    const { body, status } = await create(place, { name: 'Load tests', slug: 'load-tests' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Load tests',
      slug: 'load-tests',
      color: '#6366f1',
      is_default: false,
      require_approval: false,
      approval_scope: 'patch',
      min_approvals: 1,
      approvers: [],
      keys_may_manage: true,
      keys_may_manage_effective: true,
      require_comment: false,
      history_since: expect.any(String),
      seen_users: 'keys',
      private_attributes: [],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const demo = { name: 'Demo', slug: '0', color: '#aBc', is_default: true, id: 'x' }
    const { warnings, ...second } = (await create(place, demo)).body
    expect(warnings).toMatchObject([{ code: 'field_ignored', path: '/is_default' }])
    expect(second).toMatchObject({ color: '#aBc', is_default: false })
    expect((await list(place.id)).body.slice(3)).toEqual([body, second])
    const [project] = (await server.call({ path: '/api/projects', as: { bearer: place.sdk_key.key } })).body
    expect(project.environment_count).toBe(5)
  })

  it('a new environment works: flags, keys, streams', async () => {
    const place = await newProject()
    const { body: environment } = await create(place, { name: 'New', slug: 'new' })
    const path = `/api/environments/${environment.id}/flags`
    expect((await server.call({ path, body: { key: 'f', is_enabled: true } })).status).toBe(200)
    const keys = `/api/projects/${place.id}/keys`
    const key = await server.call({ path: keys, body: { name: 'K', environment_id: environment.id } })
    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: key.body.key } })
    expect(snapshot.body).toMatchObject([{ key: 'f' }])
  })

  it('a new environment reaches open streams of those who may read it, on every instance', async () => {
    const place = await newProject()
    const second = await startTestServer({ database: server.database })
    const cookie = (await memberOf(place, 'viewer')).cookie
    const streams = await Promise.all(
      [server, second].map(({ url }) => readStream(`${url}/stream`, { cookie })),
    )
    for (const stream of streams) await stream.until(({ event }) => event === 'ready')
    const { body } = await create(place, { name: 'Heard', slug: 'heard' })
    const path = `/api/environments/${body.id}/flags`
    await server.call({ path, body: { key: 'new', is_enabled: true } })
    for (const stream of streams) {
      await stream.until(({ data }) => data?.env_id === body.id && data.flag.key === 'new')
      stream.close()
    }
    await second.close()
  })

  it('a new environment is 409 when the project has the slug, and 200 when another project has it', async () => {
    const place = await newProject()
    const { body, status } = await create(place, { name: 'Production again', slug: 'production' })
    expect([status, body]).toEqual([409, { error: expect.stringContaining('production') }])
    expect((await create(place, { name: 'Q', slug: 'qa' })).status).toBe(200)
    expect((await create(await newProject(), { name: 'Q', slug: 'qa' })).status).toBe(200)
  })

  it('of several concurrent environments with the same slug one is created', async () => {
    const place = await newProject()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => create(place, { name: 'Race', slug: 'race' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await list(place.id)).body).toHaveLength(4)
  })

  it.each([
    ['no name', { slug: 'a' }],
    ['no slug', { name: 'A' }],
    ['an empty name', { name: '', slug: 'a' }],
    ['a blank name', { name: ' ', slug: 'a' }],
    ['a name of 101 characters', { name: 'n'.repeat(101), slug: 'a' }],
    ['an empty slug', { name: 'A', slug: '' }],
    ['a slug of 65 characters', { name: 'A', slug: 's'.repeat(65) }],
    ['a slug with capitals', { name: 'A', slug: 'Abc' }],
    ['a slug with an underscore', { name: 'A', slug: 'a_b' }],
    ['a slug with a newline at its end', { name: 'A', slug: 'a\n' }],
    ['a colour by name', { name: 'A', slug: 'a', color: 'red' }],
    ['a colour of four digits', { name: 'A', slug: 'a', color: '#1234' }],
    ['a colour of null', { name: 'A', slug: 'a', color: null }],
    ['a number for a name', { name: 5, slug: 'a' }],
    ['nothing', undefined],
  ])('a new environment is 422 for %s', async (_, body) => {
    expect((await create(server.project, body)).status).toBe(422)
  })

  it('a new environment may have a name of 100 characters and a slug of 64', async () => {
    const body = { name: 'é'.repeat(100), slug: 's'.repeat(64) }
    expect(await create(await newProject(), body)).toMatchObject({ status: 200, body })
  })

  it('creating environments is for admins of the project', async () => {
    const place = await newProject()
    const body = { name: 'Guarded', slug: 'guarded' }
    expect((await create(place, body, await memberOf(place, 'viewer'))).status).toBe(403)
    expect((await create(place, body, await memberOf(place, 'editor'))).status).toBe(403)
    expect((await create(place, body, { bearer: place.sdk_key.key })).status).toBe(403)
    expect((await create(place, body, { cookie: viewer.cookie })).status).toBe(403)
    expect((await create(place, body, 'anonymous')).status).toBe(401)
    expect((await create({ id: UNKNOWN_ID }, body)).status).toBe(404)
    expect((await create(place, body, await memberOf(place, 'admin'))).status).toBe(200)
  })
})

describe('PATCH /api/projects/{project_id}/environments/{env_id}', () => {
  it('PATCH changes name and color separately, and ignores what cannot be changed', async () => {
    const place = await newProject()
    const [production] = place.environments
    expect((await patch(place, production, { name: 'Live' })).body).toEqual({ ...production, name: 'Live' })
    const read_only = { slug: 'x', is_default: true, id: UNKNOWN_ID, require_approval: true, created_at: 'x' }
    const answer = await patch(place, production, { color: '#000', ...read_only })
    const { warnings, ...body } = answer.body
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('field_ignored'))
    expect([answer.status, body]).toEqual([200, { ...production, name: 'Live', color: '#000' }])
    expect((await patch(place, production, {})).body).toEqual(body)
    expect((await list(place.id)).body[0]).toEqual(body)
  })

  it('PATCH of an environment accepts ids in upper case', async () => {
    const place = await newProject()
    const upper = { id: place.environments[0].id.toUpperCase() }
    const answer = await patch({ id: place.id.toUpperCase() }, upper, { name: 'Loud' })
    expect(answer).toMatchObject({ status: 200, body: { id: place.environments[0].id, name: 'Loud' } })
  })

  it('PATCH shows the new name with the keys of the environment', async () => {
    const place = await newProject()
    await patch(place, place.environments[0], { name: 'Renamed' })
    const { body } = await server.call({ path: `/api/projects/${place.id}/keys` })
    expect(body).toMatchObject([{ environment_name: 'Renamed' }])
  })

  it.each([
    [{ name: '' }],
    [{ name: null }],
    [{ name: 'n'.repeat(101) }],
    [{ color: null }],
    [{ color: '#12345' }],
    [[]],
    [undefined],
  ])('PATCH of an environment is 422 for %j', async (body) => {
    const id = server.environments.production
    expect((await patch(server.project, { id }, body)).status).toBe(422)
  })

  it('PATCH of an environment is for admins of the project and a server key of this environment', async () => {
    const place = await newProject()
    const [production, staging] = place.environments
    const by = (as: As, environment = production) => patch(place, environment, { color: '#111111' }, as)
    expect((await by({ bearer: place.sdk_key.key })).status).toBe(200)
    expect((await by({ bearer: place.sdk_key.key }, staging)).status).toBe(403)
    expect((await by({ bearer: server.sdkKey })).status).toBe(403)
    expect((await by(await memberOf(place, 'editor'))).status).toBe(403)
    expect((await by(await memberOf(place, 'admin'))).status).toBe(200)
    expect((await by('anonymous')).status).toBe(401)
    const [entry] = await auditOf(production.id)
    expect(entry).toMatchObject({ actor_email: 'sdk-key:Production', action: 'update' })
  })

  it('PATCH of an environment is in its audit log', async () => {
    const place = await newProject()
    const [, staging] = place.environments
    await patch(place, staging, { name: 'Rehearsal' })
    expect(await auditOf(staging.id)).toMatchObject([
      {
        project_id: place.id,
        action: 'update',
        actor_email: 'ada@example.com',
        before_data: { name: 'Staging' },
        after_data: { name: 'Rehearsal', slug: 'staging' },
        metadata: { origin: 'direct', resource: `environment:${staging.id}` },
      },
    ])
  })
})

describe('an environment that is not of the project in the path', () => {
  it('an environment of another project is 404, for admins and keys alike', async () => {
    const [mine, theirs] = [await newProject(), await newProject()]
    const [environment] = theirs.environments
    for (const as of ['admin', { bearer: theirs.sdk_key.key }] as const) {
      expect((await patch(mine, environment, { name: 'x' }, as)).status).toBe(404)
      expect((await remove(mine, environment, as)).status).toBe(404)
      expect((await makeDefault(mine, environment, as)).status).toBe(404)
    }
    expect((await remove(mine, { id: UNKNOWN_ID })).status).toBe(404)
    expect((await remove(mine, { id: 'x' })).status).toBe(404)
    expect((await list(theirs.id)).body).toEqual(theirs.environments)
  })
})

describe('DELETE /api/projects/{project_id}/environments/{env_id}', () => {
  it('DELETE removes the environment with its flags, segments and keys', async () => {
    const place = await newProject()
    const [, staging] = place.environments
    const keys = `/api/projects/${place.id}/keys`
    const { body: key } = await server.call({ path: keys, body: { name: 'S', environment_id: staging.id } })
    const path = `/api/environments/${staging.id}`
    await server.call({ path: `${path}/flags`, body: { key: 'f', is_enabled: true } })
    await server.call({ path: `${path}/segments`, body: { key: 's', name: 'S' } })

    const { body, status } = await remove(place, staging)

    expect([status, body]).toEqual([204, ''])
    expect((await list(place.id)).body.map(({ slug }: Named) => slug)).toEqual(['production', 'development'])
    expect((await server.call({ path: keys })).body.map(({ id }: { id: number }) => id)).toEqual([
      place.sdk_key.id,
    ])
    expect((await server.call({ path: `${path}/flags` })).status).toBe(404)
    expect((await server.call({ path: '/flags/snapshot', as: { bearer: key.key } })).status).toBe(401)
    expect((await remove(place, staging)).status).toBe(404)
    for (const table of ['flags', 'segments', 'sdk_keys', 'environment_changes'] as const) {
      const left = await server.database.db
        .selectFrom(table)
        .select('environment_id')
        .where('environment_id', '=', staging.id)
        .execute()
      expect(left).toEqual([])
    }
    expect((await auditOf(staging.id)).at(-1)).toMatchObject({
      action: 'delete',
      before_data: { slug: 'staging' },
      after_data: null,
    })
  })

  it("DELETE of an environment may remove the project's last key", async () => {
    const place = await newProject()
    expect((await remove(place, place.environments[0])).status).toBe(204)
    expect((await server.call({ path: `/api/projects/${place.id}/keys` })).body).toEqual([])
  })

  it('DELETE of an environment ends its streams on every instance; those of several environments continue', async () => {
    const place = await newProject()
    const [production, staging] = place.environments
    const second = await startTestServer({ database: server.database })
    const cookie = (await memberOf(place, 'viewer')).cookie
    const key = { authorization: `Bearer ${place.sdk_key.key}` }
    const open = async (headers: Record<string, string>, query = '') => {
      const streams = [server, second].map(({ url }) => readStream(`${url}/stream${query}`, headers))
      const opened = await Promise.all(streams)
      for (const stream of opened) await stream.until(({ event }) => event === 'ready')
      return opened
    }
    const keyed = await open(key)
    const narrowed = await open({ cookie }, `?environment_id=${production.id}`)
    const wide = await open({ cookie })

    await remove(place, production)

    for (const stream of [...keyed, ...narrowed]) await eventually(stream.ended)
    const path = `/api/environments/${staging.id}/flags`
    await server.call({ path, body: { key: 'goes-on', is_enabled: true } })
    for (const stream of wide) {
      await stream.until(({ data }) => data?.flag?.key === 'goes-on')
      stream.close()
    }
    expect((await fetch(`${second.url}/stream`, { headers: key })).status).toBe(401)
    await second.close()
  })

  it('DELETE is 422 for the default environment and for the last one', async () => {
    const place = await newProject()
    const [production, staging, development] = place.environments
    const refused = await remove(place, development)
    expect(refused.status).toBe(422)
    expect(refused.body.error).toContain('default')
    await remove(place, production)
    await remove(place, staging)
    const last = await remove(place, development)
    expect(last.status).toBe(422)
    expect(last.body.error).toContain('last')
    expect(await defaultsOf(place)).toEqual([development.id])
  })

  it('DELETE of an environment is for admins of the project, but not for a key of the environment', async () => {
    const place = await newProject()
    const [production] = place.environments
    expect((await remove(place, production, { bearer: place.sdk_key.key })).status).toBe(403)
    expect((await remove(place, production, await memberOf(place, 'editor'))).status).toBe(403)
    expect((await remove(place, production, 'anonymous')).status).toBe(401)
    expect((await remove(place, production, await memberOf(place, 'admin'))).status).toBe(204)
  })

  it('DELETE of an environment during writes of flags, keys and its name refuses later ones with 404 or 422', async () => {
    const place = await newProject()
    const [production] = place.environments
    const flags = `/api/environments/${production.id}/flags`
    const keys = `/api/projects/${place.id}/keys`
    const round = (n: number) => [
      server.call({ path: flags, body: { key: `k${n}`, is_enabled: true } }),
      server.call({ path: keys, body: { name: 'K', environment_id: production.id } }),
      patch(place, production, { name: `N${n}` }),
    ]
    const answers = await Promise.all([
      ...[1, 2, 3].flatMap(round),
      remove(place, production),
      ...[4, 5, 6].flatMap(round),
    ])
    expect(answers[9]?.status).toBe(204)
    const late = answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 204)
    expect(late.filter((status) => status !== 404 && status !== 422)).toEqual([])
  })
})

describe('POST /api/projects/{project_id}/environments/{env_id}/default', () => {
  it('POST default makes the environment the only default', async () => {
    const place = await newProject()
    const [production, staging] = place.environments
    const { body, status } = await makeDefault(place, staging)
    expect([status, body]).toEqual([200, { ...staging, is_default: true }])
    expect(await defaultsOf(place)).toEqual([staging.id])
    await makeDefault(place, production)
    expect((await makeDefault(place, production)).body.is_default).toBe(true)
    expect(await defaultsOf(place)).toEqual([production.id])
    expect((await auditOf(staging.id)).at(-1)).toMatchObject({
      action: 'update',
      before_data: { is_default: false },
      after_data: { is_default: true },
      metadata: { resource: `environment:${staging.id}` },
    })
  })

  it('POST default accepts no body, or an empty one with a content type', async () => {
    const place = await newProject()
    const path = `${pathOf(place, place.environments[0])}/default`
    const headers = { 'content-type': 'application/json' }
    expect((await server.call({ method: 'POST', path, headers })).status).toBe(200)
  })

  it('of several concurrent new defaults exactly one remains', async () => {
    const place = await newProject()
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        [...place.environments, ...place.environments].map((environment) => makeDefault(place, environment)),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
      expect(await defaultsOf(place)).toHaveLength(1)
    }
  })

  it('a default that is deleted concurrently never leaves a project without one', async () => {
    for (let round = 0; round < 8; round += 1) {
      const place = await newProject()
      const [production, staging] = place.environments
      const [moved, removed, otherRemoved] = await Promise.all([
        makeDefault(place, staging),
        remove(place, staging),
        remove(place, production),
      ])
      expect(otherRemoved.status).toBe(204)
      expect([
        [200, 422],
        [404, 204],
      ]).toContainEqual([moved.status, removed.status])
      expect(await defaultsOf(place)).toHaveLength(1)
    }
  })

  it('POST default moves the legacy SDK_KEY at once', async () => {
    const legacy = 'legacy-key-of-the-tests'
    const own = await startTestServer({ env: { SDK_KEY: legacy } })
    const environmentOfKey = async () =>
      (await own.call({ path: '/flags/snapshot', as: { bearer: legacy } })).headers.get('x-environment-id')
    expect(await environmentOfKey()).toBe(own.environments.development)
    const headers = { authorization: `Bearer ${legacy}` }
    const stream = await readStream(`${own.url}/stream`, headers)
    await stream.until(({ event }) => event === 'ready')
    const path = `/api/projects/${own.project.id}/environments/${own.environments.staging}/default`
    const environments = `/api/projects/${own.project.id}/environments`
    const keyed = async () =>
      (await own.call({ path: environments })).body
        .filter(({ has_legacy_key }: { has_legacy_key: boolean }) => has_legacy_key)
        .map(({ id }: { id: string }) => id)
    expect(await keyed()).toEqual([own.environments.development])
    const moved = await own.call({ method: 'POST', path })
    expect(moved.body.warnings).toMatchObject([{ code: 'legacy_key_moved' }])
    expect((await own.call({ method: 'POST', path })).body).not.toHaveProperty('warnings')
    expect(await keyed()).toEqual([own.environments.staging])
    expect(
      (await own.call({ path: `${environments}/${own.environments.staging}` })).body.has_legacy_key,
    ).toBe(true)
    expect(await environmentOfKey()).toBe(own.environments.staging)
    await eventually(stream.ended)
    const again = await readStream(`${own.url}/stream`, headers)
    await again.until(({ data }) => data?.environment_id === own.environments.staging)
    again.close()
    await own.close()
  })

  it('POST default is for admins of the project, but not for a key of the environment', async () => {
    const place = await newProject()
    const [production] = place.environments
    expect((await makeDefault(place, production, { bearer: place.sdk_key.key })).status).toBe(403)
    expect((await makeDefault(place, production, await memberOf(place, 'editor'))).status).toBe(403)
    expect((await makeDefault(place, production, 'anonymous')).status).toBe(401)
    expect((await makeDefault(place, production, await memberOf(place, 'admin'))).status).toBe(200)
  })
})
