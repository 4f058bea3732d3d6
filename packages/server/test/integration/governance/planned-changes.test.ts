import { beforeEach, expect, it } from 'vitest'
import { type ApprovalWorld, useApprovalWorld } from '../../governance/approval-world.ts'
import type { As } from '../../harness/start-test-server.ts'

const OFF = { require_approval: false }
const ALL = { require_approval: true, approval_scope: 'all' }
const FAR_AHEAD = '2999-01-01T00:00:00.000Z'

let { key, people, production, server } = {} as ApprovalWorld
useApprovalWorld((world) => {
  ;({ key, people, production, server } = world)
}, OFF)
beforeEach(async () => {
  await server.database.db.deleteFrom('scheduled_changes').execute()
  await production.put({ key })
})

const plan = async (as: As = people.editor.as, body: object = {}): Promise<string> => {
  const answer = await production.send('POST', `/flags/${key}/scheduled-changes`, as, {
    scheduled_at: FAR_AHEAD,
    patch: { is_enabled: true },
    ...body,
  })
  expect(answer.status).toBe(200)
  return answer.body.id
}
const unapproved = async () =>
  (await production.send('GET', '/scheduled-changes?unapproved=true', 'admin')).body.map(
    ({ id }: { id: string }) => id,
  )
const requestPlanned = async () =>
  (await production.require({ ...ALL, planned_changes: 'request' })).body.planned

it('switching approval on counts what is planned, and the list names it', async () => {
  const id = await plan()
  expect(await unapproved()).toEqual([id])
  const { body, status } = await production.require({ require_approval: true, approval_scope: 'patch' })
  expect(status).toBe(200)
  expect(body.planned).toEqual({ requested: [], unapproved: 1 })
  expect((await production.require(ALL)).body.planned).toEqual({ requested: [], unapproved: 1 })
  expect((await production.require(OFF)).body.planned).toBeUndefined()
  expect(await unapproved()).toEqual([id])
})

it('planned changes become requests of their authors, with comment, time, audit and event', async () => {
  const id = await plan(people.editor.as, { comment: 'For the launch' })
  const { requested, unapproved: left } = await requestPlanned()
  expect([requested.length, left]).toEqual([1, 0])
  expect(await unapproved()).toEqual([])
  expect(await production.request(requested[0])).toMatchObject({
    status: 'pending',
    operation: 'patch',
    flag_key: key,
    patch: { is_enabled: true },
    scheduled_at: FAR_AHEAD,
    requested_by: 'editor@example.com',
    comment: 'For the launch',
    preview: { changes: [{ path: '/is_enabled' }] },
  })
  expect((await production.audit(key)).at(-1)).toMatchObject({
    action: 'change_request.open',
    metadata: { change_request_id: requested[0], scheduled_change_id: id },
  })
  expect((await production.events(key)).at(-1)).toMatchObject({
    type: 'change_request.opened',
    data: { change_request: { id: requested[0], requested_by: 'editor@example.com' } },
  })
  expect((await production.approve(requested[0], people.editor.as)).status).toBe(403)
  expect((await production.approve(requested[0], people.admin.as)).status).toBe(200)
  const [scheduled] = (await production.send('GET', `/flags/${key}/scheduled-changes`, 'admin')).body
  expect(scheduled).toMatchObject({ scheduled_by: 'editor@example.com', scheduled_at: FAR_AHEAD })
  expect(await unapproved()).toEqual([])
})

it('the creator of the key that planned a change cannot approve it', async () => {
  await plan(people.otherKey)
  const { requested } = await requestPlanned()
  expect(await production.request(requested[0])).toMatchObject({ requested_by: 'sdk-key:other robot' })
  expect((await production.approve(requested[0], people.admin.as)).status).toBe(403)
  expect((await production.approve(requested[0], people.editor.as)).status).toBe(200)
})

it('whose author is gone becomes a request that the caller cannot approve', async () => {
  const id = await plan()
  await server.database.db
    .updateTable('scheduled_changes')
    .set({ scheduled_by: 'gone@example.com' })
    .where('id', '=', id)
    .execute()
  const { requested } = await requestPlanned()
  expect((await production.approve(requested[0], 'admin')).status).toBe(403)
  expect((await production.approve(requested[0], people.editor.as)).status).toBe(200)
})

it('one call takes the earliest 100, and leaves what does not fit its flag any more', async () => {
  const stuck = await plan()
  const { db } = server.database
  await db
    .updateTable('scheduled_changes')
    .set({ patch: JSON.stringify({ rollout_percentage: 900 }) })
    .where('id', '=', stuck)
    .execute()
  const row = await db.selectFrom('scheduled_changes').selectAll().executeTakeFirstOrThrow()
  const { bytes: _b, position: _p, ...copied } = row as typeof row & { bytes: unknown; position: unknown }
  const rows = Array.from({ length: 101 }, () => ({
    ...copied,
    id: crypto.randomUUID(),
    patch: JSON.stringify({ is_enabled: true }),
  }))
  await db.insertInto('scheduled_changes').values(rows).execute()
  const first = await requestPlanned()
  expect([first.requested.length, first.unapproved]).toEqual([99, 3])
  const second = await requestPlanned()
  expect([second.requested.length, second.unapproved]).toEqual([2, 1])
  expect(await unapproved()).toEqual([stuck])
})

it.each([{ require_approval: true, approval_scope: 'patch' }, { require_approval: false }])(
  '%o with requests for planned changes is 422, and nothing changes',
  async (body) => {
    const id = await plan()
    const answer = await production.require({ ...body, planned_changes: 'request' })
    expect(answer.status).toBe(422)
    expect(answer.body.details[0].path).toBe('/planned_changes')
    expect((await production.require({ ...ALL, planned_changes: 'drop' })).status).toBe(422)
    expect(await unapproved()).toEqual([id])
  },
)
