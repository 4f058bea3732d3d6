import { beforeEach, describe, expect, it } from 'vitest'
import { insertToken } from '../../authorization/insert-token.ts'
import { type ApprovalWorld, useApprovalWorld } from '../../governance/approval-world.ts'
import { addUser } from '../../harness/add-user.ts'
import type { As } from '../../harness/start-test-server.ts'

let { key, people, production, server } = {} as ApprovalWorld
useApprovalWorld(
  (world) => {
    ;({ key, people, production, server } = world)
  },
  { require_approval: true, approval_scope: 'patch', min_approvals: 1, approvers: [] },
)
beforeEach(async () => {
  await production.put({ key })
})

const settings = async (body: object) => {
  const answer = await production.require(body)
  expect(answer.status).toBe(200)
  return answer.body
}

async function request(as: As = people.requester.as): Promise<number> {
  const { body, status } = await production.patch(key, { is_enabled: true }, as)
  expect(status).toBe(202)
  return body.id
}

const isEnabled = async (): Promise<boolean> => (await production.get(key)).body.is_enabled
const lastAudit = async () => (await production.audit(key)).at(-1)

describe('min_approvals', () => {
  it('the change is applied with the approval of the second person, and each approval is audited', async () => {
    expect(await settings({ require_approval: true, min_approvals: 2 })).toMatchObject({ min_approvals: 2 })
    const id = await request()
    const first = await production.approve(id, people.editor.as, { comment: 'Looks right' })
    expect(first.status).toBe(202)
    expect(first.body).toMatchObject({
      status: 'pending',
      approvals: [{ approved_by: 'editor@example.com', comment: 'Looks right', flag_revision: 1 }],
    })
    expect(JSON.stringify(first.body)).not.toContain('identity')
    expect(await lastAudit()).toMatchObject({
      action: 'change_request.approve',
      metadata: { approvals: { given: 1, needed: 2 } },
    })
    expect(await isEnabled()).toBe(false)
    expect((await production.events(key)).map(({ type }) => type)).not.toContain('change_request.approved')

    const second = await production.approve(id, people.admin.as)
    expect(second.status).toBe(200)
    expect(await isEnabled()).toBe(true)
    const decided = await production.request(id)
    expect(decided.status).toBe('approved')
    expect(decided.approvals.map(({ approved_by }: { approved_by: string }) => approved_by)).toEqual([
      'editor@example.com',
      'admin@example.com',
    ])
  })

  it('the same person does not count twice, with a token neither', async () => {
    await settings({ require_approval: true, min_approvals: 2 })
    const id = await request()
    const { token } = await insertToken({ server }, { user_id: people.editor.id })
    await production.approve(id, people.editor.as)
    const again = await production.approve(id, { bearer: token })
    expect(again.status).toBe(409)
    expect(again.body.error).toContain('Another person must approve it too')
    expect(await isEnabled()).toBe(false)
  })

  it('a person and a key that they created count once', async () => {
    await settings({ require_approval: true, min_approvals: 2 })
    const id = await request()
    expect((await production.approve(id, people.admin.as)).status).toBe(202)
    expect((await production.approve(id, people.otherKey)).status).toBe(409)
    expect(await isEnabled()).toBe(false)
  })

  it('an approval does not count after the flag has changed', async () => {
    await settings({ require_approval: true, min_approvals: 2 })
    const id = await request()
    await production.approve(id, people.editor.as)
    await settings({ require_approval: false })
    await production.patch(key, { description: 'Another change' }, 'admin')
    await settings({ require_approval: true, min_approvals: 2 })
    expect((await production.approve(id, people.admin.as)).status).toBe(202)
    expect(await isEnabled()).toBe(false)
    expect((await production.approve(id, people.editor.as)).status).toBe(200)
    expect(await isEnabled()).toBe(true)
  })

  it.each([[{ min_approvals: 0 }], [{ min_approvals: 6 }], [{ min_approvals: 1.5 }]])(
    '%o is 422',
    async (body) => {
      expect((await production.require({ require_approval: true, ...body })).status).toBe(422)
    },
  )

  it('of two people who approve at the same time each counts once', async () => {
    await settings({ require_approval: true, min_approvals: 2 })
    const id = await request()
    const answers = await Promise.all([
      production.approve(id, people.editor.as),
      production.approve(id, people.admin.as),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 202])
    expect(await isEnabled()).toBe(true)
  })
})

describe('approvers', () => {
  it('only the users and roles of the list approve', async () => {
    await settings({ require_approval: true, approvers: [{ user_id: people.admin.id }] })
    const id = await request()
    for (const as of [people.editor.as, 'admin', people.key] as const) {
      const refused = await production.approve(id, as)
      expect(refused.status).toBe(403)
      expect(refused.body.error).toContain('Only the approvers of this environment')
    }
    expect((await production.approve(id, people.admin.as)).status).toBe(200)

    await settings({ require_approval: true, approvers: [{ role: 'editor' }] })
    const other = (await production.patch(key, { is_enabled: false }, people.requester.as)).body.id
    expect((await production.approve(other, people.admin.as)).status).toBe(403)
    expect((await production.approve(other, people.editor.as)).status).toBe(200)
  })

  it.each([
    ['an unknown user', { approvers: [{ user_id: 2_000_000_000 }] }, '/approvers/0'],
    ['an unknown role', { approvers: [{ role: 'owner' }] }, '/approvers/0'],
    ['neither', { approvers: [{}] }, '/approvers/0'],
  ])('%s is 422', async (_what, body, path) => {
    const answer = await production.require({ require_approval: true, ...body })
    expect(answer.status).toBe(422)
    expect(answer.body.details[0].path).toContain(path)
  })

  it('a list of fewer users than must approve is 422', async () => {
    const { body, status } = await production.require({
      require_approval: true,
      min_approvals: 2,
      approvers: [{ user_id: people.admin.id }],
    })
    expect(status).toBe(422)
    expect(body.error).toContain('names 1 users, and 2 must approve')
  })

  it('where every change needs approval, only a workspace admin changes who approves', async () => {
    await settings({ require_approval: true, approval_scope: 'all', min_approvals: 2 })
    // Also where the input has a fault: rights come first.
    const faulty = [
      { approvers: [{ user_id: 2_000_000_000 }] },
      { approval_scope: 'patch', planned_changes: 'request' },
    ]
    for (const weaker of [{ min_approvals: 1 }, { approvers: [{ role: 'editor' }] }, ...faulty]) {
      const { status } = await production.require({ require_approval: true, ...weaker }, people.admin.as)
      expect(status).toBe(403)
    }
    expect(
      (await production.require({ require_approval: true, min_approvals: 3 }, people.admin.as)).status,
    ).toBe(200)
  })
})

describe('bypassing the approval', () => {
  it('a workspace admin applies their own request with a reason, which is recorded everywhere', async () => {
    await settings({ require_approval: true, min_approvals: 3, approvers: [{ role: 'editor' }] })
    const id = await request('admin')
    expect((await production.approve(id, 'admin')).status).toBe(403)
    const { status } = await production.approve(id, 'admin', { bypass_reason: 'Checkout is down' })
    expect(status).toBe(200)
    expect(await isEnabled()).toBe(true)
    expect(await production.request(id)).toMatchObject({
      status: 'approved',
      approvals: [],
      bypass_reason: 'Checkout is down',
    })
    expect(await lastAudit()).toMatchObject({ metadata: { bypass_reason: 'Checkout is down' } })
    const approved = (await production.events(key)).find(({ type }) => type === 'change_request.approved')
    expect(approved?.data.change_request.bypass_reason).toBe('Checkout is down')
  })

  it('a project admin and a key do not bypass', async () => {
    const id = await request()
    for (const as of [people.admin.as, people.key]) {
      expect((await production.approve(id, as, { bypass_reason: 'I may' })).status).toBe(403)
    }
    expect((await production.approve(id, 'admin', { bypass_reason: ' ' })).status).toBe(422)
    expect(await isEnabled()).toBe(false)
  })
})

describe('comments on a request', () => {
  it('members who may read the environment discuss, and the request keeps the order', async () => {
    const id = await request()
    const comment = (text: string, as: As) =>
      production.send('POST', `/change-requests/${id}/comments`, as, { text })
    expect((await comment('Is it tested?', people.viewer.as)).status).toBe(200)
    expect((await comment('Yes.', people.requester.as)).body.comments).toMatchObject([
      { author: 'viewer@example.com', text: 'Is it tested?' },
      { author: 'asker@example.com', text: 'Yes.' },
    ])
    expect((await comment('x'.repeat(501), 'admin')).status).toBe(422)
    expect((await comment('Mine', people.outsider.as)).status).toBe(403)
    expect((await comment('Mine', people.client_key)).status).toBe(403)
    const [listed] = (await production.requests()).body
    expect(listed.comments).toBeNull()
  })

  it('a text is the comment where the environment requires one', async () => {
    const id = await request()
    const path = `/api/projects/${server.project.id}/environments/${production.id}`
    await server.call({ method: 'PATCH', path, body: { require_comment: true } })
    const { status } = await production.send('POST', `/change-requests/${id}/comments`, 'admin', {
      text: 'Why?',
    })
    await server.call({ method: 'PATCH', path, body: { require_comment: false } })
    expect(status).toBe(200)
  })

  it('shows the credential that asked, and who created it', async () => {
    const { email } = (await server.call({ path: '/api/auth/me', as: people.admin.as })).body
    const withOf = async (id: number) => {
      const { body } = await production.send('GET', `/change-requests/${id}`, 'admin')
      const listed = (await production.send('GET', '/change-requests?status=pending', 'admin')).body
      expect(listed.find((one: { id: number }) => one.id === id).requested_with).toEqual(body.requested_with)
      return body.requested_with
    }
    expect(await withOf(await request(people.otherKey))).toEqual({
      ...{ kind: 'sdk_key', name: 'other robot', created_by: [email] },
    })
    expect(await withOf(await request())).toEqual({ kind: 'session', name: null, created_by: [] })
    const account = (await server.call({ path: '/api/service-accounts', body: { name: `asks ${key}` } })).body
    await server.call({
      path: `/api/projects/${server.project.id}/members`,
      body: { user_id: account.id, role: 'editor' },
    })
    const { token } = await insertToken({ server }, { user_id: account.id })
    const me = (await server.call({ path: '/api/auth/me' })).body
    expect(await withOf(await request({ bearer: token }))).toEqual({
      ...{ kind: 'access_token', name: 'Matrix', created_by: [me.email] },
    })
  })

  it('people who neither review nor requested it cannot fill its comments', async () => {
    const id = await request()
    const readers = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        addUser(server, {
          email: `${name}-of-${id}@example.com`,
          memberOf: { [server.project.id]: 'viewer' },
        }),
      ),
    )
    const say = (as: As) => production.send('POST', `/change-requests/${id}/comments`, as, { text: 'Words' })
    const statuses = async (as: As, count: number) => {
      const seen: number[] = []
      for (let written = 0; written < count; written += 1) seen.push((await say(as)).status)
      return seen.filter((status) => status === 200).length
    }
    const written = []
    for (const reader of readers) written.push(await statuses(reader, 21))
    expect(written).toEqual([20, 20, 10])
    expect((await say(readers[0] ?? 'admin')).body.error).toContain('for its reviewers and its requester')
    expect((await say(people.requester.as)).status).toBe(200)
    expect((await say('admin')).status).toBe(200)
  })

  it('a request has at most 100 comments', async () => {
    const id = await request()
    const comments = Array.from({ length: 100 }, () => ({ author: 'a', text: 'c', created_at: '' }))
    await server.database.db
      .updateTable('change_requests')
      .set({ comments: JSON.stringify(comments) })
      .where('id', '=', id)
      .execute()
    const { body, status } = await production.send('POST', `/change-requests/${id}/comments`, 'admin', {
      text: 'One more',
    })
    expect(status).toBe(409)
    expect(body.error).toContain('at most 100 comments')
  })
})

describe('GET /api/change-requests', () => {
  const listAll = (query: string, as: As) => server.call({ path: `/api/change-requests${query}`, as })
  const ids = (body: readonly { id: number }[]) => body.map(({ id }) => id)

  it('the list has requests of every readable environment with its names, and pages', async () => {
    const first = await request()
    const second = (await production.patch(key, { description: 'd' }, people.requester.as)).body.id
    const { body } = await listAll('?status=pending', people.viewer.as)
    expect(ids(body).slice(0, 2)).toEqual([second, first])
    expect(body[0]).toMatchObject({
      environment: { id: production.id, name: 'Production' },
      project: { id: server.project.id },
    })
    expect((await listAll('', people.outsider.as)).body).toEqual([])
    const page = await listAll('?limit=1', people.viewer.as)
    expect(ids(page.body)).toEqual([second])
    const cursor = page.headers.get('x-next-cursor')
    expect(ids((await listAll(`?limit=1&cursor=${cursor}`, people.viewer.as)).body)).toEqual([first])
  })

  it('project_id narrows the list to one project', async () => {
    const { body: other } = await server.call({ path: '/api/projects', body: { name: 'Another project' } })
    const id = await request()
    const of = async (project_id: string) => ids((await listAll(`?project_id=${project_id}`, 'admin')).body)
    expect(await of(server.project.id)).toContain(id)
    expect(await of(other.id)).toEqual([])
    expect((await listAll('?project_id=mine', 'admin')).status).toBe(422)
  })

  it('waiting_for_me leaves out own requests, those of own keys, approved ones and those of other approvers', async () => {
    await settings({ require_approval: true, min_approvals: 2 })
    const id = await request()
    const waiting = async (as: As) => ids((await listAll('?waiting_for_me=true', as)).body).includes(id)
    expect(await waiting(people.requester.as)).toBe(false)
    expect(await waiting(people.viewer.as)).toBe(false)
    expect(await waiting(people.editor.as)).toBe(true)
    await production.approve(id, people.editor.as)
    expect(await waiting(people.editor.as)).toBe(false)
    expect(await waiting(people.admin.as)).toBe(true)
    await settings({ require_approval: true, min_approvals: 1, approvers: [{ user_id: people.editor.id }] })
    expect(await waiting(people.admin.as)).toBe(false)
    expect(await waiting('admin')).toBe(false)

    await settings({ require_approval: true, approvers: [] })
    const byKey = await request(people.otherKey)
    const seen = async (as: As) => ids((await listAll('?waiting_for_me=true', as)).body).includes(byKey)
    expect(await seen(people.admin.as)).toBe(false)
    expect(await seen(people.editor.as)).toBe(true)
  })

  it('a role in one environment hides its requests', async () => {
    const person = await addUser(server, {
      email: 'partly@example.com',
      memberOf: { [server.project.id]: 'editor' },
    })
    const id = await request()
    const as: As = { cookie: person.cookie }
    expect(ids((await listAll('', as)).body)).toContain(id)
    await server.call({ path: '/api/roles', body: { key: 'none', name: 'None', permissions: [] } })
    await server.call({
      method: 'PATCH',
      path: `/api/projects/${server.project.id}/members/${person.id}`,
      body: { environment_roles: [{ environment_id: production.id, role: 'none' }] },
    })
    expect(ids((await listAll('', as)).body)).not.toContain(id)
  })
})
