import { describe, expect, it } from 'vitest'
import { type ApprovalWorld, useApprovalWorld } from '../../governance/approval-world.ts'

const ALL = { require_approval: true, approval_scope: 'all' }

let { count, key, people, production, server } = {} as ApprovalWorld
useApprovalWorld(
  (world) => {
    ;({ count, key, people, production, server } = world)
  },
  { require_approval: false },
)

const at = (rest: string) => `/api/environments/${server.environments.production}${rest}`
const asRequester = () => ({ as: people.requester.as })
const asEditor = () => ({ as: people.editor.as })
const put = (body: object, env = at('')) =>
  server.call({ path: `${env}/flags`, body: { key, is_enabled: true, ...body }, ...asRequester() })
const approve = (id: number, body: object = {}) =>
  server.call({ path: at(`/change-requests/${id}/approve`), method: 'POST', body, ...asEditor() })
const read = (id: number) => server.call({ path: at(`/change-requests/${id}`) })
const statusOfFlag = async () => (await server.call({ path: at(`/flags/${key}`) })).status
const guard = () => production.require(ALL)

async function deleteFlag(): Promise<void> {
  expect((await put({})).status).toBe(200)
  expect((await server.call({ path: at(`/flags/${key}`), method: 'DELETE' })).status).toBe(204)
}
async function nameAsPrerequisite(): Promise<void> {
  const prerequisites = [{ flag_key: key, required_value: true }]
  const body = { key: `${key}-dependent`, is_enabled: true, prerequisites }
  expect((await server.call({ path: at('/flags'), body })).status).toBe(200)
}

/** Lets another flag wait for the key, and returns the id of the request. */
async function requestPrerequisite(scheduled_at: string | null): Promise<number> {
  const dependent = `${key}-dependent`
  await server.call({ path: at('/flags'), body: { key: dependent, is_enabled: true } })
  await guard()
  const patch = { prerequisites: [{ flag_key: key, required_value: true }] }
  const path = at(`/flags/${dependent}`)
  const asked =
    scheduled_at === null
      ? await server.call({ method: 'PATCH', path, body: patch, ...asRequester() })
      : await server.call({
          path: `${path}/scheduled-changes`,
          body: { scheduled_at, patch },
          ...asRequester(),
        })
  expect(asked.status, JSON.stringify(asked.body)).toBe(202)
  return asked.body.id
}
async function nameInSchedule(): Promise<void> {
  expect((await approve(await requestPrerequisite('2199-01-01T00:00:00Z'))).status).toBe(200)
}
async function nameInRequest(): Promise<void> {
  await requestPrerequisite(null)
}

describe('creating a flag where every change needs approval', () => {
  it('is direct for a key that nothing knows', async () => {
    await guard()
    expect((await put({})).status).toBe(200)
  })

  it.each([
    ['whose key existed before', deleteFlag],
    ['that another flag names as its prerequisite', nameAsPrerequisite],
    ['that an approved scheduled change names as a prerequisite', nameInSchedule],
    ['that a change request names as a prerequisite', nameInRequest],
  ])('a flag %s waits for approval, and approving creates it', async (_title, prepare) => {
    await prepare()
    await guard()
    const asked = await put({ description: 'Again' })
    expect(asked).toMatchObject({
      status: 202,
      body: { operation: 'create', flag_key: key, status: 'pending', patch: { is_enabled: true } },
    })
    expect(await statusOfFlag()).toBe(404)
    const { body: request } = await read(asked.body.id)
    expect(request.preview).toMatchObject({
      before: null,
      after: { key, description: 'Again' },
      conflicts: [],
    })
    expect(request.preview.problem).toBeUndefined()

    const approved = await approve(asked.body.id)
    expect(approved).toMatchObject({ status: 200, body: { key, description: 'Again', is_enabled: true } })
    expect(await statusOfFlag()).toBe(200)
    const decided = await read(asked.body.id)
    expect(decided.body).toMatchObject({
      status: 'approved',
      decided_change: { before: null, after: { key } },
    })
    const list = await server.call({ path: at('/change-requests?preview=true') })
    expect(list.body.find(({ id }: { id: number }) => id === asked.body.id)).toMatchObject({
      decided_change: { before: null },
    })
  })

  it('promoting to a key that existed before waits for approval as well', async () => {
    await deleteFlag()
    await put({ description: 'From Development' }, `/api/environments/${server.environments.development}`)
    await guard()
    const asked = await server.call({
      path: `/api/environments/${server.environments.development}/flags/${key}/promote`,
      body: { target_env_id: server.environments.production },
      ...asRequester(),
    })
    expect(asked).toMatchObject({ status: 202, body: { operation: 'create' } })
    expect((await approve(asked.body.id)).body).toMatchObject({ description: 'From Development' })
  })

  it('a rejected and a withdrawn request create nothing', async () => {
    await deleteFlag()
    await guard()
    const [first, second] = [await put({}), await put({})]
    const rejected = await server.call({
      path: at(`/change-requests/${first.body.id}/reject`),
      body: {},
      ...asEditor(),
    })
    const withdrawn = await server.call({
      path: at(`/change-requests/${second.body.id}`),
      method: 'DELETE',
      ...asRequester(),
    })
    expect([rejected.status, withdrawn.status, await statusOfFlag()]).toEqual([204, 204, 404])
    expect((await read(first.body.id)).body.decided_change).toMatchObject({ before: null, after: { key } })
  })

  it('a request for a flag that exists by now cannot be approved and stays pending', async () => {
    await deleteFlag()
    await guard()
    const [first, second] = [await put({ description: 'one' }), await put({ description: 'two' })]
    expect((await approve(first.body.id)).status).toBe(200)
    expect((await read(second.body.id)).body.preview.problem).toBe('A flag with this key exists by now.')
    const refused = await approve(second.body.id)
    expect(refused.status).toBe(422)
    expect((await read(second.body.id)).body.status).toBe('pending')
    expect((await server.call({ path: at(`/flags/${key}`) })).body.description).toBe('one')
  })

  it('a request to create a flag that was approved in part does not count as a flag that existed', async () => {
    await nameAsPrerequisite()
    await production.require({ ...ALL, min_approvals: 2 })
    const asked = await put({})
    expect(await approve(asked.body.id)).toMatchObject({ status: 202, body: { status: 'pending' } })
    const path = at(`/change-requests/${asked.body.id}`)
    expect((await server.call({ path, method: 'DELETE', ...asRequester() })).status).toBe(204)
    await production.require({ require_approval: false, min_approvals: 1 })
    const dependent = at(`/flags/${key}-dependent`)
    expect((await server.call({ path: dependent, method: 'DELETE' })).status).toBe(204)
    await guard()
    expect((await put({})).status).toBe(200)
  })

  it('an approval that names a revision is refused, because there is none', async () => {
    await deleteFlag()
    await guard()
    const asked = await put({})
    expect((await approve(asked.body.id, { revision: 3 })).status).toBe(409)
    expect((await approve(asked.body.id)).status).toBe(200)
  })

  it('the requester cannot approve the creation', async () => {
    await deleteFlag()
    await guard()
    const asked = await put({})
    const own = await server.call({
      path: at(`/change-requests/${asked.body.id}/approve`),
      method: 'POST',
      body: {},
      ...asRequester(),
    })
    expect(own.status).toBe(403)
  })

  it('renaming a segment reaches a flag that waits to be created', async () => {
    await deleteFlag()
    const segment = { key: `seg-${count}`, name: 'Beta', rules: [] }
    expect((await server.call({ path: at('/segments'), body: segment })).status).toBe(200)
    await guard()
    const asked = await put({ rules: [{ segment_key: segment.key }] })
    await server.call({
      path: at(`/segments/${segment.key}`),
      method: 'PATCH',
      body: { key: `${segment.key}-new` },
    })
    expect((await approve(asked.body.id)).body.rules).toMatchObject([{ segment_key: `${segment.key}-new` }])
  })
})

describe('withdrawing a scheduled change where every change needs approval', () => {
  const FAR_AHEAD = '9999-12-31T23:59:59Z'
  const schedules = async () =>
    (await server.call({ path: at(`/flags/${key}/scheduled-changes`) })).body as { id: string }[]
  const withdraw = (id: string) =>
    server.call({ path: at(`/scheduled-changes/${id}`), method: 'DELETE', ...asRequester() })

  async function scheduleApproved(): Promise<string> {
    expect((await put({})).status).toBe(200)
    await guard()
    const body = { scheduled_at: FAR_AHEAD, patch: { is_enabled: false } }
    const asked = await server.call({ path: at(`/flags/${key}/scheduled-changes`), body, ...asRequester() })
    expect(asked.status).toBe(202)
    expect((await approve(asked.body.id)).status).toBe(200)
    return (await schedules())[0]?.id ?? ''
  }

  it('an approved one waits for approval, and approving withdraws it', async () => {
    const id = await scheduleApproved()
    const asked = await withdraw(id)
    expect(asked).toMatchObject({ status: 202, body: { operation: 'unschedule', status: 'pending' } })
    expect(await schedules()).toMatchObject([{ id }])
    const { body: request } = await read(asked.body.id)
    expect(request.preview).toMatchObject({ changes: [], conflicts: [] })
    expect((await approve(asked.body.id)).status).toBe(200)
    expect(await schedules()).toEqual([])
    expect((await server.call({ path: at(`/flags/${key}`) })).body.is_enabled).toBe(true)
  })

  it('a request for one that was withdrawn already cannot be approved and stays pending', async () => {
    const id = await scheduleApproved()
    const [first, second] = [await withdraw(id), await withdraw(id)]
    expect((await approve(first.body.id)).status).toBe(200)
    const problem = 'The scheduled change was executed or withdrawn already.'
    expect(await approve(second.body.id)).toMatchObject({ status: 422, body: { error: problem } })
    expect((await read(second.body.id)).body).toMatchObject({ status: 'pending', preview: { problem } })
    const list = await server.call({ path: at('/change-requests?preview=true&status=pending') })
    expect(list.body.find(({ id }: { id: number }) => id === second.body.id).preview).toMatchObject({
      problem,
    })
  })

  it('one that was never approved is withdrawn directly', async () => {
    expect((await put({})).status).toBe(200)
    const body = { scheduled_at: FAR_AHEAD, patch: { is_enabled: false } }
    const scheduled = await server.call({ path: at(`/flags/${key}/scheduled-changes`), body })
    await guard()
    expect((await withdraw(scheduled.body.id)).status).toBe(204)
  })
})
