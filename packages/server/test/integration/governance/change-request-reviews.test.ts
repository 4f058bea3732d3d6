import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  actionsOf,
  createEnvironmentCalls,
  type EnvironmentCalls,
  typesOf,
} from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

let server: TestServer
let people: People
let production: EnvironmentCalls
let key: string
let count = 0

beforeAll(async () => {
  server = await startTestServer()
  people = await createPeople(server)
  production = createEnvironmentCalls(server, server.environments.production)
  await production.require({ require_approval: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  key = `flag-${count}`
  await production.put({ key })
})

/** Returns the id of a pending request of the requester, or of another person. */
async function ask(patch: object = { is_enabled: true }, as: As = people.requester.as): Promise<number> {
  const { body, status } = await production.patch(key, patch, as)
  expect(status).toBe(202)
  return body.id
}

const flag = async () => (await production.get(key)).body
const statusOf = async (id: number) => (await production.request(id)).status
const sdkSees = async () =>
  (await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })).body.find(
    (shown: { key: string }) => shown.key === key,
  )

/** Reviewers other than the requester. */
const REVIEWERS: readonly (readonly [string, () => As, string])[] = [
  ['another editor', () => people.editor.as, 'editor@example.com'],
  ['a project admin', () => people.admin.as, 'admin@example.com'],
  ['a workspace admin', () => 'admin', 'ada@example.com'],
  ['a server key', () => people.key, 'sdk-key:robot'],
]

describe('approving a pending request', () => {
  it.each(REVIEWERS)('approving by %s responds with 200 and the updated flag', async (_, as, name) => {
    const id = await ask()
    const { body, headers, status } = await production.approve(id, as())
    expect(status).toBe(200)
    expect(stateOf(body)).toEqual(await flag())
    expect(body).toMatchObject({ key, is_enabled: true, updated_by: name })
    expect(headers.get('etag')).toBe(`"${body.revision}"`)
    expect(await sdkSees()).toMatchObject({ is_enabled: true, revision: body.revision })
    const request = await production.request(id)
    expect(request).toMatchObject({ status: 'approved', reviewed_by: name, reason: null, preview: null })
    expect(Date.parse(request.reviewed_at)).toBeGreaterThanOrEqual(Date.parse(request.created_at))
  })

  it('approving applies the patch to the current flag', async () => {
    const id = await ask({ rollout_percentage: 50 })
    await production.put({ key, description: 'Changed meanwhile', tags: ['a'], is_enabled: true })
    expect((await production.approve(id, people.editor.as)).body).toMatchObject({
      rollout_percentage: 50,
      description: 'Changed meanwhile',
      tags: ['a'],
      is_enabled: true,
    })
  })

  it('approving an earlier revision than the current one is 409, and the request stays pending', async () => {
    const id = await ask({ rollout_percentage: 50 })
    const { revision } = (await production.request(id)).preview.before
    await production.put({ key, is_enabled: true })
    const now = (await flag()).revision

    const refused = await production.approve(id, people.editor.as, { revision })
    expect(refused.status).toBe(409)
    expect(refused.body.error).toContain(`its revision is now ${now}`)
    expect(await statusOf(id)).toBe('pending')
    expect((await flag()).rollout_percentage).toBeNull()

    expect((await production.approve(id, people.editor.as, { revision: now })).status).toBe(200)
    expect((await flag()).rollout_percentage).toBe(50)
  })

  it.each([{ revision: 'latest' }, { revision: -1 }, { revision: 1.5 }, []])(
    'approving with %j instead of a revision is 422',
    async (body) => {
      expect((await production.approve(await ask(), people.editor.as, body)).status).toBe(422)
    },
  )

  it('approving two patches of different fields loses neither', async () => {
    const first = await ask({ rollout_percentage: 50 })
    const second = await ask({ description: 'Both' }, people.editor.as)
    await production.approve(second, people.requester.as)
    const { body } = await production.approve(first, people.editor.as)
    expect(body).toMatchObject({ rollout_percentage: 50, description: 'Both' })
  })

  it('approving fires change_request.approved with the reviewer, and then flag.updated', async () => {
    const before = await flag()
    const id = await ask()
    const { body } = await production.approve(id, people.editor.as)
    const events = await production.events(key)
    expect(typesOf(events).slice(2)).toEqual(['change_request.approved', 'flag.updated'])
    const {
      preview: _,
      decided_change: _d,
      comments: _c,
      impact: _i,
      ...stored
    } = await production.request(id)
    expect(events[2]?.data).toMatchObject({
      actor_email: people.editor.email,
      flag: stateOf(body),
      previous: before,
      change_request: stored,
    })
    expect(stored).toMatchObject({ reviewed_by: people.editor.email, requested_by: people.requester.email })
    expect(events[3]?.data).toMatchObject({
      actor_email: people.editor.email,
      flag: stateOf(body),
      previous: before,
    })
  })

  it('approving makes one audit entry and an entry of the history', async () => {
    const before = await flag()
    const id = await ask()
    const { body } = await production.approve(id, people.editor.as)
    const entries = await production.audit(key)
    expect(actionsOf(entries)).toEqual(['create', 'change_request.open', 'change_request.approve'])
    expect(entries[2]).toMatchObject({
      actor_email: people.editor.email,
      before,
      after: stateOf(body),
      metadata: {
        origin: 'change_request',
        change_request_id: id,
        operation: 'patch',
        requested_by: people.requester.email,
      },
    })
    const history = await production.send('GET', `/flags/${key}/history`, 'admin')
    expect(history.body.map(({ flag: shown }: { flag: object }) => shown)).toEqual([stateOf(body), before])
  })

  it('approving an archiving stores the time of the approval', async () => {
    const id = await ask({ archived_at: '2001-01-01T00:00:00Z' })
    const { body } = await production.approve(id, people.editor.as)
    expect(body.archived_at).toBe((await production.request(id)).reviewed_at)
    expect(await sdkSees()).toBeUndefined()
  })

  it.each<readonly [string, () => As, () => As]>([
    ['session and session', () => people.requester.as, () => people.requester.as],
    ['session and token', () => people.requester.as, () => people.askerToken],
    ['token and session', () => people.askerToken, () => people.requester.as],
    ['token and token', () => people.askerToken, () => people.askerToken],
    ['a workspace admin', () => 'admin', () => 'admin'],
    ['a server key', () => people.key, () => people.key],
  ])('approving by the requester is 403: %s', async (_, asks, approves) => {
    const before = await flag()
    const id = await ask({ is_enabled: true }, asks())
    expect((await production.approve(id, approves())).status).toBe(403)
    expect(await flag()).toEqual(before)
    expect(await statusOf(id)).toBe('pending')
    expect((await production.approve(id, people.editor.as)).status).toBe(200)
  })

  it('requests of a key can be approved by users and other keys', async () => {
    expect((await production.approve(await ask({}, people.key), people.otherKey)).status).toBe(200)
    expect((await production.approve(await ask({}, people.key), people.requester.as)).status).toBe(200)
  })

  it.each<readonly [string, () => As, number]>([
    ['a viewer', () => people.viewer.as, 403],
    ['a user without access to the project', () => people.outsider.as, 403],
    ['a client key', () => people.client_key, 403],
    ['an anonymous caller', () => 'anonymous', 401],
  ])('approving by %s is refused', async (_, as, status) => {
    const id = await ask()
    for (const review of [production.approve, production.reject]) {
      expect((await review(id, as())).status).toBe(status)
    }
    expect(await statusOf(id)).toBe('pending')
  })

  it('approving when the flag was deleted is 404, and the request is cancelled', async () => {
    const id = await ask()
    await production.remove(key)
    expect((await production.approve(id, people.editor.as)).status).toBe(404)
    expect(await production.request(id)).toMatchObject({ status: 'cancelled', preview: null })
    expect((await production.approve(id, people.editor.as)).status).toBe(409)
    expect(typesOf(await production.events(key))).toEqual([
      'flag.created',
      'change_request.opened',
      'flag.deleted',
    ])
    expect(actionsOf(await production.audit(key)).at(-1)).toBe('change_request.cancel')
    expect((await production.get(key)).status).toBe(404)
  })

  it('approving a patch that does not fit any more is 422, and the request stays pending', async () => {
    const id = await ask({ default_value: false })
    await production.put({ key, flag_type: 'string' })
    const before = await flag()
    expect((await production.approve(id, people.editor.as)).status).toBe(422)
    expect(await statusOf(id)).toBe('pending')
    expect(await flag()).toEqual(before)
    await production.put({ key })
    expect((await production.approve(id, people.editor.as)).body).toMatchObject({ default_value: false })
  })
})

describe('rejecting a pending request', () => {
  it.each([...REVIEWERS, ['the requester', () => people.requester.as, 'asker@example.com'] as const])(
    'rejecting by %s responds with 204 and stores the reason; the flag is unchanged',
    async (_, as, name) => {
      const before = await flag()
      const id = await ask()
      const answer = await production.reject(id, as(), { reason: 'Not now' })
      expect([answer.status, answer.body]).toEqual([204, ''])
      expect(await production.request(id)).toMatchObject({
        status: 'rejected',
        reviewed_by: name,
        reason: 'Not now',
        reviewed_at: expect.any(String),
        preview: null,
      })
      expect(await flag()).toEqual(before)
    },
  )

  it('rejecting fires change_request.rejected with the reason, and nothing else', async () => {
    const id = await ask()
    await production.reject(id, people.editor.as, { reason: 'Because' })
    const events = await production.events(key)
    expect(typesOf(events).slice(2)).toEqual(['change_request.rejected'])
    expect(events[2]?.data).toMatchObject({
      actor_email: people.editor.email,
      flag: await flag(),
      change_request: { id, status: 'rejected', reason: 'Because', reviewed_by: people.editor.email },
    })
    const entries = await production.audit(key)
    expect(entries.at(-1)).toMatchObject({
      action: 'change_request.reject',
      before: { id, status: 'pending' },
      after: { id, status: 'rejected', reason: 'Because' },
    })
  })

  it.each([
    ['no body', undefined, {}],
    ['an empty object', {}, {}],
    ['the reason null', { reason: null }, {}],
    ['unknown fields', { why: 'x' }, {}],
    ['an empty JSON body', '', { 'content-type': 'application/json' }],
    ['an empty text body', '', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['an empty form', '', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an empty merge patch', '', { 'content-type': 'application/merge-patch+json' }],
  ])('rejecting with %s stores no reason', async (_, body, headers) => {
    const id = await ask()
    const path = `/api/environments/${production.id}/change-requests/${id}/reject`
    const answer = await server.call({
      method: 'POST',
      path,
      as: people.editor.as,
      headers,
      ...(body !== undefined && { body }),
    })
    expect(answer.status).toBe(204)
    expect(await production.request(id)).toMatchObject({ status: 'rejected', reason: null })
  })

  it.each([
    ['a number', { reason: 7 }],
    ['a list', { reason: ['x'] }],
    ['NUL', { reason: 'a\u0000b' }],
    ['a lone surrogate', '{"reason":"\\ud800"}'],
    ['no object', '[]'],
    ['null', 'null'],
  ])('rejecting with a reason that is %s is 422, and the request stays pending', async (_, body) => {
    const id = await ask()
    const answer = await server.call({
      method: 'POST',
      path: `/api/environments/${production.id}/change-requests/${id}/reject`,
      as: people.editor.as,
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(422)
    expect(await statusOf(id)).toBe('pending')
  })

  it('a request of a deleted flag can be rejected', async () => {
    const id = await ask()
    await production.remove(key)
    expect((await production.reject(id, people.editor.as)).status).toBe(204)
    expect(await statusOf(id)).toBe('rejected')
  })
})

describe('cancelling a pending request', () => {
  it.each<readonly [string, () => As, () => As]>([
    ['the requester', () => people.requester.as, () => people.requester.as],
    ['the requester by token', () => people.requester.as, () => people.askerToken],
    ['the key that asked', () => people.key, () => people.key],
    ['a workspace admin', () => people.requester.as, () => 'admin'],
  ])('cancelling by %s is 204', async (_, asks, cancels) => {
    const before = await flag()
    const id = await ask({ is_enabled: true }, asks())
    expect((await production.cancel(id, cancels())).status).toBe(204)
    expect(await production.request(id)).toMatchObject({ status: 'cancelled', reason: null, preview: null })
    expect(await flag()).toEqual(before)
    expect(typesOf(await production.events(key))).toEqual(['flag.created', 'change_request.opened'])
    expect((await production.audit(key)).at(-1)).toMatchObject({
      action: 'change_request.cancel',
      before: { status: 'pending' },
      after: { status: 'cancelled' },
    })
  })

  it.each<readonly [string, () => As, number]>([
    ['another editor', () => people.editor.as, 404],
    ['a project admin', () => people.admin.as, 404],
    ['a viewer', () => people.viewer.as, 404],
    ['a server key', () => people.key, 404],
    ['a user without access to the project', () => people.outsider.as, 403],
    ['a client key', () => people.client_key, 403],
    ['an anonymous caller', () => 'anonymous', 401],
  ])('cancelling by %s is refused', async (_, as, status) => {
    const id = await ask()
    expect((await production.cancel(id, as())).status).toBe(status)
    expect(await statusOf(id)).toBe('pending')
  })

  it('requests of a key cannot be cancelled by users', async () => {
    const id = await ask({}, people.key)
    expect((await production.cancel(id, people.admin.as)).status).toBe(404)
    expect((await production.cancel(id, people.otherKey)).status).toBe(404)
  })
})

describe('reviews of decided requests', () => {
  it.each<readonly [string, (id: number) => Promise<unknown>]>([
    ['approved', (id) => production.approve(id, people.editor.as)],
    ['rejected', (id) => production.reject(id, people.editor.as)],
    ['cancelled', (id) => production.cancel(id, people.requester.as)],
  ])('%s leads nowhere: approve and reject are 409, cancel is 404', async (status, decide) => {
    const id = await ask()
    await decide(id)
    const before = { request: await production.request(id), flag: await flag() }
    const stored = typesOf(await production.events(key))
    for (const as of [people.admin.as, 'admin'] as const) {
      expect((await production.approve(id, as)).status).toBe(409)
      expect((await production.reject(id, as, { reason: 'Again' })).status).toBe(409)
    }
    expect((await production.reject(id, people.requester.as)).status).toBe(409)
    for (const as of [people.requester.as, people.editor.as, people.viewer.as, 'admin'] as const) {
      expect((await production.cancel(id, as)).status).toBe(404)
    }
    // Access is checked before the state.
    expect((await production.approve(id, people.requester.as)).status).toBe(403)
    // And the body before it.
    expect((await production.reject(id, people.editor.as, { reason: 1 })).status).toBe(422)
    expect({ request: await production.request(id), flag: await flag() }).toEqual(before)
    expect(before.request.status).toBe(status)
    expect(typesOf(await production.events(key))).toEqual(stored)
  })
})

describe('reviews of missing requests', () => {
  it.each(['2147483647', '2147483648', '99999999999999999999', '0', '-1', '1e1', '0x1', '1.5', 'one', '%00'])(
    'a review of a missing request is 404: %s',
    async (id) => {
      const path = `/api/environments/${production.id}/change-requests/${id}`
      const calls = [
        { method: 'POST', path: `${path}/approve` },
        { method: 'POST', path: `${path}/reject` },
        { method: 'DELETE', path },
      ]
      for (const as of ['admin', people.editor.as, people.viewer.as] as const) {
        for (const call of calls) expect((await server.call({ ...call, as })).status).toBe(404)
      }
    },
  )
})

describe('reviews with an empty body', () => {
  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
    'an empty body of a review counts as none, whatever its type: %s',
    async (type) => {
      const send = (method: string, id: number, end: string) =>
        server.call({
          method,
          path: `/api/environments/${production.id}/change-requests/${id}${end}`,
          as: 'admin',
          headers: { 'content-type': type },
        })
      expect((await send('POST', await ask(), '/approve')).status).toBe(200)
      expect((await send('POST', await ask(), '/reject')).status).toBe(204)
      expect((await send('DELETE', await ask(), '')).status).toBe(204)
    },
  )
})

describe('reviews with a cookie without the CSRF header', () => {
  it('a review with a cookie without the CSRF header is 403 and decides nothing', async () => {
    const id = await ask()
    const path = `/api/environments/${production.id}/change-requests/${id}`
    for (const [method, end] of [
      ['POST', '/approve'],
      ['POST', '/reject'],
      ['DELETE', ''],
    ] as const) {
      const headers = { cookie: people.editor.cookie }
      expect((await server.call({ method, path: path + end, as: 'anonymous', headers })).status).toBe(403)
    }
    expect(await statusOf(id)).toBe('pending')
  })
})

describe('changes of roles and reviews', () => {
  it('an editor who became a viewer cannot approve, and can still cancel their own requests', async () => {
    const own = await ask({}, people.editor.as)
    const other = await ask()
    const member = `/api/projects/${server.project.id}/members/${people.editor.id}`
    await server.call({ method: 'PATCH', path: member, body: { role: 'viewer' } })
    expect((await production.approve(other, people.editor.as)).status).toBe(403)
    expect((await production.cancel(own, people.editor.as)).status).toBe(204)
    await server.call({ method: 'PATCH', path: member, body: { role: 'editor' } })
    expect((await production.approve(other, people.editor.as)).status).toBe(200)
  })
})
