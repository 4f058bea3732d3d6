import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type TestUser } from '../harness/add-user.ts'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'

let server: TestServer
let editor: TestUser
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  editor = await addUser(server, {
    email: 'ed@example.com',
    member_of: { [server.project.id]: 'editor' },
  })
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

const requireApproval = (body: object) =>
  server.call({
    path: `/api/projects/${server.project.id}/environments/${server.environments.production}/require-approval`,
    body,
  })

describe('a patch where approval is required', () => {
  it('becomes a pending change request that another person approves', async () => {
    await server.call({ path: `${environment}/flags`, body: { key: 'guarded', is_enabled: false } })
    expect((await requireApproval({ require_approval: true })).body).toMatchObject({
      require_approval: true,
      approval_scope: 'patch',
    })
    const asked = await server.call({
      method: 'PATCH',
      path: `${environment}/flags/guarded`,
      body: { is_enabled: true },
      as: { cookie: editor.cookie },
    })
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({
      flag_key: 'guarded',
      patch: { is_enabled: true },
      requested_by: editor.email,
      status: 'pending',
      reviewed_by: null,
      preview: { changes: [{ path: '/is_enabled', before: false, after: true }], conflicts: [] },
    })
    const { id } = asked.body
    const approve = (as: 'admin' | { cookie: string }) =>
      server.call({ method: 'POST', path: `${environment}/change-requests/${id}/approve`, as })
    expect((await approve({ cookie: editor.cookie })).status).toBe(403)
    const approved = await approve('admin')
    expect(approved.status).toBe(200)
    expect(approved.body).toMatchObject({ key: 'guarded', is_enabled: true })
    expect((await approve('admin')).status).toBe(409)
    const audit = await server.call({ path: `${environment}/audit?flag_key=guarded` })
    expect(audit.body.map(({ action }: { action: string }) => action)).toEqual([
      'change_request.approve',
      'change_request.open',
      'create',
    ])
    await requireApproval({ require_approval: false })
  })
})

describe('a scheduled change', () => {
  it('runs at its time', async () => {
    await server.call({ path: `${environment}/flags`, body: { key: 'later', is_enabled: false } })
    const scheduled = await server.call({
      path: `${environment}/flags/later/scheduled-changes`,
      body: { scheduled_at: '2020-12-31T23:59:60Z', patch: { is_enabled: true } },
    })
    expect(scheduled.status).toBe(200)
    await expect
      .poll(async () => (await server.call({ path: `${environment}/flags/later` })).body.is_enabled, { timeout: 5000 })
      .toBe(true)
    const list = await server.call({ path: `${environment}/scheduled-changes` })
    expect(list.body).toMatchObject([{ flag_key: 'later', error: null }])
  })
})
