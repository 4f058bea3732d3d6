import { mergePatch } from '@burgee/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEnvironmentCalls, type EnvironmentCalls, typesOf } from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { CHANGES, type Change, contentOf, type Place, seedTwins } from '../../governance/twins.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

const ALL = { require_approval: true, approval_scope: 'all' }

let server: TestServer
let people: People
/** An environment guarded with `all`; its twin, where everything is direct; and the source of promotions. */
let production: EnvironmentCalls
let staging: EnvironmentCalls
let development: EnvironmentCalls
let key: string
let count = 0

beforeAll(async () => {
  server = await startTestServer()
  people = await createPeople(server)
  const { environments } = server
  production = createEnvironmentCalls(server, environments.production)
  staging = createEnvironmentCalls(server, environments.staging)
  development = createEnvironmentCalls(server, environments.development)
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  key = `flag-${count}`
  await production.require(ALL)
})

const guarded = (): Place => ({ calls: production, source: development })
const open = (): Place => ({ calls: staging, source: development })
const flag = async (calls: EnvironmentCalls = production) => (await calls.get(key)).body
const snapshot = async () =>
  (await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })).body as { key: string }[]

/** Returns the change request in a response; of a bulk call that of its one result. */
function requestOf({ body, status }: Answer) {
  const result = body.results ? body.results[0] : { status, change_request: body }
  expect(result.status).toBe(202)
  return result.change_request
}

const statusOf = ({ body, status }: Answer): number => (body.results ? body.results[0].status : status)

describe('approval scope all', () => {
  const seed = async (change: Change) => {
    await seedTwins(key, change, [guarded(), open()])
    await production.require(ALL)
  }

  it.each(CHANGES)(
    '$title becomes a change request, and approving it has the effect of the direct call',
    async (change) => {
      await seed(change)
      const before = await flag()
      const seen = await snapshot()
      const { preview, ...request } = requestOf(await change.run(guarded(), key, people.requester.as))
      expect(request).toMatchObject({
        flag_key: key,
        environment_id: production.id,
        operation: change.operation,
        body: { operation: change.operation },
        status: 'pending',
        scheduled_at: null,
        requested_by: people.requester.email,
      })
      expect(await flag()).toEqual(before)
      expect(await snapshot()).toEqual(seen)

      const direct = statusOf(await change.run(open(), key, people.requester.as))
      expect(direct).toBe(change.operation === 'delete' ? 204 : 200)
      const approved = await production.approve(request.id, people.editor.as)
      expect(approved.status).toBe(200)
      const eventType = typesOf(await staging.events(key)).at(-1)
      expect(typesOf(await production.events(key)).slice(-3)).toEqual([
        'change_request.opened',
        'change_request.approved',
        eventType,
      ])
      if (change.operation === 'delete') {
        expect(preview).toMatchObject({ before, after: null })
        expect(request.patch).toEqual({})
        expect(stateOf(approved.body)).toEqual(before)
        expect((await production.get(key)).status).toBe(404)
        expect((await staging.get(key)).status).toBe(404)
        expect(await snapshot()).toEqual(seen.filter((shown) => shown.key !== key))
        return
      }
      const after = await flag()
      expect(stateOf(approved.body)).toEqual(after)
      expect(contentOf(after)).toEqual(contentOf(await flag(staging)))
      expect(contentOf(preview.after)).toEqual(contentOf(after))
      expect(after.revision).toBeGreaterThan(before.revision)
      const shown = (await snapshot()).filter((other) => other.key === key)
      expect(shown).toEqual(after.archived_at === null ? [after] : [])
    },
  )

  it.each(CHANGES.filter(({ operation }) => operation !== 'delete'))(
    'the merge patch of a request for $title converts the flag in the same way',
    async (change) => {
      await seed(change)
      const { patch, preview } = requestOf(await change.run(guarded(), key, people.requester.as))
      if (patch.archived_at) patch.archived_at = preview.after.archived_at
      const patched = mergePatch(preview.before, patch) as Record<string, unknown>
      for (const [field, value] of Object.entries<unknown>(preview.after)) {
        expect(patched[field] ?? null, field).toEqual(value)
      }
    },
  )

  it('with scope all everyone needs approval, workspace admins and server keys included', async () => {
    await production.put({ key })
    for (const as of ['admin', people.admin.as, people.askerToken, people.key] as const) {
      expect((await production.remove(key, as)).status).toBe(202)
    }
  })

  it('with scope all a call that would be refused directly is refused, and opens no request', async () => {
    await production.put({ key })
    const refused = [
      [422, production.put({ key, rollout_percentage: 101 }, people.requester.as)],
      [422, production.send('POST', `/flags/${key}/restore`, people.requester.as, { revision: 1_000_000 })],
      [
        422,
        production.send('POST', `/flags/${key}/promote`, people.requester.as, {
          target_env_id: production.id,
        }),
      ],
      [404, production.send('POST', '/flags/nowhere/archive', people.requester.as)],
      [404, production.remove('nowhere', people.requester.as)],
      [403, production.remove(key, people.viewer.as)],
      [403, production.send('POST', `/flags/${key}/archive`, people.client_key)],
    ] as const
    for (const [status, answer] of refused) expect((await answer).status).toBe(status)
    expect(typesOf(await production.events(key))).toEqual(['flag.created'])
  })

  it('with scope all If-Match is checked before queueing: a stale revision is 412', async () => {
    await production.put({ key })
    const { revision } = await flag()
    const at = `/api/environments/${production.id}/flags`
    const calls = [
      { method: 'PATCH', path: `${at}/${key}`, body: { tags: ['x'] } },
      { method: 'POST', path: at, body: { key, is_enabled: true } },
      { method: 'POST', path: `${at}/${key}/archive` },
      { method: 'POST', path: `${at}/${key}/unarchive` },
      { method: 'POST', path: `${at}/${key}/restore`, body: { revision } },
      { method: 'DELETE', path: `${at}/${key}` },
    ]
    for (const call of calls) {
      const statuses: number[] = []
      for (const tag of [revision - 1, revision]) {
        statuses.push((await server.call({ ...call, headers: { 'if-match': `"${tag}"` } })).status)
      }
      expect(statuses, `${call.method} ${call.path}`).toEqual([412, 202])
    }
    expect(typesOf(await production.events(key))).toHaveLength(1 + calls.length)
  })

  it('with scope all creating a new flag is direct, by POST and by promote', async () => {
    expect((await production.put({ key }, people.requester.as)).status).toBe(200)
    const promoted = `${key}-promoted`
    await development.put({ key: promoted })
    const body = { target_env_id: production.id }
    const answer = await development.send('POST', `/flags/${promoted}/promote`, people.requester.as, body)
    expect(answer.status).toBe(200)
    expect((await snapshot()).map((shown) => shown.key)).toEqual(expect.arrayContaining([key, promoted]))
  })

  it('with scope all a bulk action responds for each key separately', async () => {
    await production.put({ key })
    const body = { keys: [key, 'nowhere', key], action: 'delete' }
    const { body: answer } = await production.send('POST', '/flags/bulk', people.requester.as, body)
    expect(answer.results).toMatchObject([
      { key, status: 202, change_request: { operation: 'delete' } },
      { key: 'nowhere', status: 404, error: expect.any(String) },
      { key, status: 202, change_request: { operation: 'delete' } },
    ])
    const [first, , second] = answer.results
    expect((await production.approve(first.change_request.id, people.editor.as)).status).toBe(200)
    expect((await production.approve(second.change_request.id, people.editor.as)).status).toBe(404)
    expect((await production.request(second.change_request.id)).status).toBe('cancelled')
  })

  it('with scope all keys cannot decide, and may cancel their own requests', async () => {
    await production.put({ key })
    const asked = async () => (await production.remove(key, people.requester.as)).body.id
    const own = (await production.remove(key, people.key)).body.id
    const id = await asked()
    for (const as of [people.key, people.otherKey]) {
      expect((await production.approve(id, as)).status).toBe(403)
      expect((await production.approve(own, as)).status).toBe(403)
      expect((await production.reject(id, as)).status).toBe(403)
      expect((await production.reject(own, as)).status).toBe(403)
    }
    expect((await production.get(key)).status).toBe(200)
    expect((await production.reject(id, people.requester.as)).status).toBe(204)
    expect((await production.cancel(own, people.key)).status).toBe(204)
    expect((await production.approve(await asked(), people.askerToken)).status).toBe(403)
    expect((await production.approve(await asked(), people.admin.as)).status).toBe(200)
  })

  it('scope all applies to earlier requests: a key that could have approved them cannot any more', async () => {
    await production.require({ require_approval: true, approval_scope: 'patch' })
    await production.put({ key })
    const { id } = (await production.patch(key, { tags: ['x'] }, people.requester.as)).body
    await production.require(ALL)
    expect((await production.approve(id, people.key)).status).toBe(403)
    await production.require({ require_approval: true, approval_scope: 'patch' })
    expect((await production.approve(id, people.key)).status).toBe(200)
  })
})

describe('approval scope patch, the default', () => {
  it.each(CHANGES)('$title takes effect or becomes a request according to the reference', async (change) => {
    await seedTwins(key, change, [guarded()])
    await production.require({ require_approval: true, approval_scope: 'patch' })
    const isPatch = ['patch', 'add_tags', 'remove_tags'].includes(change.operation)
    const done = statusOf(await change.run(guarded(), key, people.requester.as))
    expect(done).toBe(isPatch ? 202 : change.operation === 'delete' ? 204 : 200)
  })

  it('with scope patch scheduling is direct', async () => {
    await production.require({ require_approval: true, approval_scope: 'patch' })
    await production.put({ key })
    const body = { scheduled_at: '2999-01-01T00:00:00Z', patch: { is_enabled: true } }
    const answer = await production.send('POST', `/flags/${key}/scheduled-changes`, people.requester.as, body)
    expect(answer.status).toBe(200)
  })
})

describe('scheduling with approval scope all', () => {
  const schedule = (scheduled_at: string, patch: object = { is_enabled: true }) =>
    production.send('POST', `/flags/${key}/scheduled-changes`, people.requester.as, { scheduled_at, patch })
  const listed = async () => (await production.send('GET', `/flags/${key}/scheduled-changes`, 'admin')).body

  beforeEach(async () => {
    await production.put({ key })
  })

  it('with scope all scheduling is a change request with scheduled_at, and approving it schedules the change', async () => {
    const before = await flag()
    const { body: request, status } = await schedule('2999-01-01T01:00:00+01:00')
    expect(status).toBe(202)
    expect(request).toMatchObject({
      operation: 'patch',
      patch: { is_enabled: true },
      scheduled_at: '2999-01-01T00:00:00.000Z',
      status: 'pending',
    })
    expect(await listed()).toEqual([])
    expect((await production.approve(request.id, people.requester.as)).status).toBe(403)
    const approved = await production.approve(request.id, people.editor.as)
    expect([approved.status, stateOf(approved.body)]).toEqual([200, before])
    expect(await flag()).toEqual(before)
    expect(await listed()).toMatchObject([
      {
        flag_key: key,
        scheduled_at: '2999-01-01T00:00:00.000Z',
        patch: { is_enabled: true },
        scheduled_by: people.requester.email,
        executed_at: null,
      },
    ])
    expect(typesOf(await production.events(key))).toEqual([
      'flag.created',
      'change_request.opened',
      'change_request.approved',
    ])
    const history = await production.send('GET', `/flags/${key}/history`, 'admin')
    expect(history.body).toHaveLength(1)
  })

  it('with scope all a scheduled change does not run without approval, and runs immediately when approved late', async () => {
    const { body: request } = await schedule('2020-01-01T00:00:00Z')
    expect(await listed()).toEqual([])
    expect((await production.approve(request.id, people.editor.as)).body.is_enabled).toBe(false)
    await eventually(async () => (await flag()).is_enabled)
    expect(await listed()).toMatchObject([{ executed_at: expect.any(String), error: null }])
    expect(typesOf(await production.events(key)).slice(-2)).toEqual([
      'change_request.approved',
      'flag.updated',
    ])
  })

  it('with scope all a scheduled change may be rejected and cancelled: nothing is scheduled', async () => {
    const first = (await schedule('2020-01-01T00:00:00Z')).body
    const second = (await schedule('2020-01-01T00:00:00Z')).body
    expect((await production.reject(first.id, people.editor.as)).status).toBe(204)
    expect((await production.cancel(second.id, people.requester.as)).status).toBe(204)
    expect(await listed()).toEqual([])
  })

  it('with scope all scheduling an invalid patch is 422', async () => {
    expect((await schedule('2999-01-01T00:00:00Z', { rollout_percentage: 101 })).status).toBe(422)
    expect((await schedule('soon')).status).toBe(422)
  })

  it('a change that was scheduled before scope all does not run without approval', async () => {
    await production.require({ require_approval: false })
    const { body: scheduled } = await schedule('2999-01-01T00:00:00Z')
    await production.require(ALL)
    const { db } = server.database
    await db
      .updateTable('scheduled_changes')
      .set({ scheduled_at: '2020-01-01T00:00:00.000Z' })
      .where('id', '=', scheduled.id)
      .execute()
    await eventually(async () => (await listed())[0].executed_at !== null)
    expect((await listed())[0].error).toMatch(/approv/)
    expect((await flag()).is_enabled).toBe(false)
  })
})

describe('changing the approval settings', () => {
  const OFF = { require_approval: false }
  const PATCH = { require_approval: true, approval_scope: 'patch' }
  const ON = { require_approval: true }

  it.each([
    ['off', OFF],
    ['to patch', PATCH],
    ['off, with the scope', { ...ALL, require_approval: false }],
  ])('changing the scope from all %s requires a workspace admin', async (_, to) => {
    for (const as of [people.admin.as, people.editor.as, people.key, people.viewer.as]) {
      expect((await production.require(to, as)).status).toBe(403)
    }
    await production.put({ key })
    expect((await production.remove(key, people.requester.as)).status).toBe(202)
    expect((await production.require(to)).status).toBe(200)
  })

  it('a project admin may set the scope all again, which changes nothing', async () => {
    for (const to of [ALL, ON]) {
      const { body, status } = await production.require(to, people.admin.as)
      expect(status).toBe(200)
      expect(body).toMatchObject(ALL)
    }
  })

  it('a project admin and a key may change the scope from patch and from off', async () => {
    for (const as of [people.admin.as, people.key]) {
      await production.require({ ...PATCH, keys_may_manage: true })
      expect((await production.require(OFF, as)).body).toMatchObject(OFF)
      expect((await production.require(ON, as)).body).toMatchObject(PATCH)
      expect((await production.require(ALL, as)).body).toMatchObject(ALL)
    }
    await production.require(PATCH)
    expect((await production.require(OFF, people.editor.as)).status).toBe(403)
  })

  it('enabling approval starts with the scope patch', async () => {
    await production.require({ ...ALL, require_approval: false })
    expect((await production.require(ON)).body).toMatchObject(PATCH)
  })

  it.each([
    {},
    { require_approval: null },
    { require_approval: 'true' },
    { ...ON, approval_scope: 'none' },
    [],
  ])('the approval settings %j are 422', async (body) => {
    expect((await production.require(body)).status).toBe(422)
  })

  it('deleting an environment with scope all requires a workspace admin', async () => {
    const path = `/api/projects/${server.project.id}/environments`
    const { id } = (await server.call({ path, body: { name: 'Guarded', slug: key } })).body
    await createEnvironmentCalls(server, id).require(ALL)
    const remove = (as: 'admin' | { cookie: string }) =>
      server.call({ method: 'DELETE', path: `${path}/${id}`, as })
    expect((await remove({ cookie: people.admin.cookie })).status).toBe(403)
    expect((await remove('admin')).status).toBe(204)
  })
})
