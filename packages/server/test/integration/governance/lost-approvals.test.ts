import { beforeEach, describe, expect, it } from 'vitest'
import { type ApprovalWorld, useApprovalWorld } from '../../governance/approval-world.ts'
import { addUser } from '../../harness/add-user.ts'
import type { As } from '../../harness/start-test-server.ts'

let world: ApprovalWorld
const SETTINGS = { require_approval: true, approval_scope: 'patch', min_approvals: 2, approvers: [] }
useApprovalWorld((next) => {
  world = next
}, SETTINGS)

let id: number
let approver: { readonly id: number; readonly email: string; readonly as: As }

beforeEach(async () => {
  const { count, key, people, production, server } = world
  const memberOf = { [server.project.id]: 'editor' }
  const user = await addUser(server, { email: `approver-${count}@example.com`, memberOf })
  approver = { ...user, as: { cookie: user.cookie } }
  await production.put({ key })
  id = (await production.patch(key, { is_enabled: true }, people.requester.as)).body.id
})

const send = (method: string, path: string, body?: object) =>
  world.server.call({ method, path, ...(body !== undefined && { body }) })
const memberPath = () => `/api/projects/${world.server.project.id}/members/${approver.id}`
const settings = async (change: object) =>
  expect((await world.production.require({ ...SETTINGS, ...change })).status).toBe(200)
const reasons = async () => {
  const { approvals } = await world.production.request(id)
  return approvals.map(({ not_counted }: { not_counted: unknown }) => not_counted)
}

describe('an approval counts at the decision only while its reviewer may review', () => {
  it.each<[string, string | null, () => Promise<unknown>]>([
    [
      'the reviewer is disabled',
      'reviewer_disabled',
      () => send('POST', `/api/users/${approver.id}/disable`, {}),
    ],
    ['the reviewer is deleted', 'reviewer_gone', () => send('DELETE', `/api/users/${approver.id}`)],
    ['the reviewer leaves the project', 'no_permission', () => send('DELETE', memberPath())],
    ['the role is taken', 'no_permission', () => send('PATCH', memberPath(), { role: 'viewer' })],
    [
      'the role in the environment is taken',
      'no_permission',
      () => {
        const { id: environment_id } = world.production
        return send('PATCH', memberPath(), { environment_roles: [{ environment_id, role: 'viewer' }] })
      },
    ],
    [
      'the reviewer is removed from the approvers',
      'not_an_approver',
      () =>
        settings({ approvers: [{ user_id: world.people.admin.id }, { user_id: world.people.editor.id }] }),
    ],
    [
      'the role of the reviewer is removed from the approvers',
      'not_an_approver',
      () => settings({ approvers: [{ role: 'admin' }] }),
    ],
  ])('%s', async (_what, reason, take) => {
    const { people, production } = world
    expect((await production.approve(id, approver.as)).status).toBe(202)
    expect(await reasons()).toEqual([null])

    await take()

    expect(await reasons()).toEqual([reason])
    const [listed] = (await production.requests(`?q=${world.key}`)).body
    expect(listed.approvals[0]).toMatchObject({ approved_by: approver.email, not_counted: reason })
    const all = await world.server.call({ path: '/api/change-requests?limit=1' })
    expect(all.body[0].approvals[0].not_counted).toBe(reason)
    const next = await production.approve(id, people.admin.as)
    expect(next.status).toBe(202)
    expect(next.body.approvals).toMatchObject([{ not_counted: reason }, { not_counted: null }])
    expect((await production.audit(world.key)).at(-1)?.metadata.approvals).toEqual({ given: 1, needed: 2 })
    expect((await production.get(world.key)).body.is_enabled).toBe(false)
  })

  it('a right that was given back lets the approval count again', async () => {
    const { people, production } = world
    await production.approve(id, approver.as)
    await send('PATCH', memberPath(), { role: 'viewer' })
    await send('PATCH', memberPath(), { role: 'editor' })

    expect(await reasons()).toEqual([null])
    expect((await production.approve(id, people.admin.as)).status).toBe(200)
  })

  it('a workspace admin who is demoted loses the approval', async () => {
    const { production, server } = world
    const body = { role: 'admin' }
    await send('PATCH', `/api/users/${approver.id}`, body)
    await server.call({ method: 'DELETE', path: memberPath() })
    expect((await production.approve(id, approver.as)).status).toBe(202)
    await send('PATCH', `/api/users/${approver.id}`, { role: 'viewer' })

    expect(await reasons()).toEqual(['no_permission'])
  })

  it('the approval of a key ends with the key', async () => {
    const { people, production, server } = world
    const path = `/api/projects/${server.project.id}/keys`
    const body = { name: 'ci', environment_id: production.id, kind: 'server' }
    const created = await server.call({ path, body, as: people.admin.as })
    expect((await production.approve(id, { bearer: created.body.key })).status).toBe(202)
    expect(await reasons()).toEqual([null])

    await server.call({ method: 'DELETE', path: `${path}/${created.body.id}` })

    expect(await reasons()).toEqual(['reviewer_gone'])
    expect((await production.approve(id, people.admin.as)).status).toBe(202)
    expect((await production.approve(id, approver.as)).status).toBe(200)
  })

  it('an approval of an earlier revision says so', async () => {
    const { production } = world
    await production.approve(id, approver.as)
    await settings({ require_approval: false })
    await production.patch(world.key, { description: 'Other' }, 'admin')
    await settings({})

    expect(await reasons()).toEqual(['flag_changed'])
  })
})

describe('approvers who may not review are refused with the reason', () => {
  const refusal = async (approvers: readonly object[]) => {
    const { body, status } = await world.production.require({ ...SETTINGS, min_approvals: 1, approvers })
    return { status, error: body.error, path: body.details?.[0]?.path }
  }

  it('a member without the permission, a stranger, a disabled user, and a role without the permission', async () => {
    const { people } = world
    await send('POST', `/api/users/${approver.id}/disable`, {})
    const cases = [
      [{ user_id: people.viewer.id }, `user ${people.viewer.id} may not review changes`],
      [{ user_id: people.outsider.id }, `user ${people.outsider.id} may not review changes`],
      [{ user_id: approver.id }, `user ${approver.id} is disabled`],
      [{ role: 'viewer' }, 'viewer has no permission review_changes'],
    ] as const
    for (const [one, error] of cases) {
      expect(await refusal([{ user_id: people.admin.id }, one])).toEqual({
        status: 422,
        error: expect.stringContaining(error),
        path: '/approvers/1',
      })
    }
  })

  it('an approver of the list who has lost the right does not block other settings', async () => {
    const { people, production } = world
    const approvers = [{ user_id: approver.id }, { user_id: people.admin.id }]
    await settings({ approvers })
    await send('PATCH', memberPath(), { role: 'viewer' })

    expect((await production.require({ ...SETTINGS, min_approvals: 1, approvers })).status).toBe(200)
  })
})
