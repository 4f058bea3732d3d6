import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { ADMIN, type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const rename = (body: unknown, as: As = 'admin') =>
  server.call({ method: 'PATCH', path: '/api/workspace', body, as })

const workspaceName = async () =>
  (await server.call({ path: '/api/auth/workspace', as: 'anonymous' })).body.workspace_name

describe('PATCH /api/workspace', () => {
  it('PATCH of the workspace responds with 200 and the new name, which everyone sees from then on', async () => {
    expect(await rename({ workspace_name: 'Acme' })).toMatchObject({
      status: 200,
      body: { workspace_name: 'Acme' },
    })
    expect(await workspaceName()).toBe('Acme')
    expect((await server.call({ path: '/api/auth/me' })).body.workspace_name).toBe('Acme')
  })

  it('PATCH of the workspace responds with only the settings', async () => {
    const { body } = await rename({ workspace_name: 'Only', id: true, access_revision: 7 })
    expect(body).toEqual({
      workspace_name: 'Only',
      keys_may_manage: true,
      second_factor: 'optional',
      second_factor_grace_days: 7,
    })
  })

  it.each([
    ['no name', {}],
    ['a blank name', { workspace_name: ' ' }],
    ['a name of null', { workspace_name: null }],
    ['a name that is no text', { workspace_name: 7 }],
    ['a name with NUL', { workspace_name: 'a\0b' }],
    ['no body', undefined],
  ])('PATCH of the workspace is 422 for %s', async (_, body) => {
    const before = await workspaceName()
    expect((await rename(body)).status).toBe(422)
    expect(await workspaceName()).toBe(before)
  })

  it('PATCH of the workspace is for workspace admins: others get 403, without a credential 401', async () => {
    const member = await addUser(server, {
      email: 'member@example.com',
      role: 'editor',
      memberOf: { [server.project.id]: 'admin' },
    })
    const body = { workspace_name: 'Taken over' }
    expect((await rename(body, { cookie: member.cookie })).status).toBe(403)
    expect((await rename(body, { bearer: server.sdkKey })).status).toBe(403)
    expect((await rename(body, 'anonymous')).status).toBe(401)
    expect((await rename({}, { cookie: member.cookie })).status).toBe(403)
  })

  it('PATCH of the workspace is audited', async () => {
    await rename({ workspace_name: 'Before' })
    await rename({ workspace_name: 'After' })
    const entry = await server.database.db
      .selectFrom('audit_log')
      .where('action', 'not like', 'auth.%')
      .select(['action', 'actor_email', 'before_data', 'after_data', 'metadata', 'project_id'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      action: 'update',
      actor_email: ADMIN.email,
      before_data: { workspace_name: 'Before' },
      after_data: { workspace_name: 'After' },
      metadata: { origin: 'direct', resource: 'workspace' },
      project_id: null,
    })
  })
})
