import type { ChangeRequest } from '@burgee/contract'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listChangeRequests } from '../../../src/governance/change-requests/list-change-requests.ts'
import { createCheckBudget } from '../../../src/kernel/check-budget.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createResponseBudget } from '../../../src/platform/concurrency/response-budget.ts'
import {
  actionsOf,
  createEnvironmentCalls,
  type EnvironmentCalls,
  typesOf,
} from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { aKeyActor } from '../../harness/a-key-actor.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
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

/** Creates a pending request of the requester. */
async function ask(patch: object = { is_enabled: true }) {
  const { body, status } = await production.patch(key, patch, people.requester.as)
  expect(status).toBe(202)
  return body
}

const flag = async () => stateOf((await production.get(key)).body)

/** Creates an environment without requests. */
async function newEnvironment(): Promise<string> {
  const body = { name: `Of ${key}`, slug: `of-${key}` }
  const path = `/api/projects/${server.project.id}/environments`
  return (await server.call({ path, body })).body.id
}

describe('PATCH with require_approval', () => {
  it('a PATCH responds with 202 and the pending change request, and the flag is unchanged', async () => {
    const before = await flag()
    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
    const asked = await production.patch(key, { is_enabled: true, description: null }, people.requester.as)
    expect(asked.status).toBe(202)
    expect(asked.body).toEqual({
      id: expect.any(Number),
      environment_id: production.id,
      flag_key: key,
      operation: 'patch',
      patch: { is_enabled: true, description: null },
      body: { operation: 'patch', patch: { is_enabled: true, description: null } },
      scheduled_at: null,
      requested_by: people.requester.email,
      requested_with: { kind: 'session', name: null, created_by: [] },
      status: 'pending',
      comment: null,
      review_comment: null,
      reviewed_by: null,
      reason: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      reviewed_at: null,
      preview: {
        before,
        after: { ...before, is_enabled: true },
        changes: [{ path: '/is_enabled', before: false, after: true }],
        conflicts: [],
      },
      decided_change: null,
      approvals: [],
      bypass_reason: null,
      comments: [],
    })
    expect(await flag()).toEqual(before)
    const after = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
    expect(after.headers.get('etag')).toBe(snapshot.headers.get('etag'))
    expect(after.body).toEqual(snapshot.body)
  })

  it('a PATCH fires change_request.opened with one audit entry', async () => {
    const { preview: _, decided_change: _d, comments: _c, ...opened } = await ask()
    const events = await production.events(key)
    expect(typesOf(events)).toEqual(['flag.created', 'change_request.opened'])
    expect(events[1]?.data).toMatchObject({
      project_id: server.project.id,
      environment: { id: production.id, slug: 'production' },
      flag_key: key,
      actor_email: people.requester.email,
      flag: await flag(),
      previous: null,
      change_request: opened,
    })
    const entries = await production.audit(key)
    expect(actionsOf(entries)).toEqual(['create', 'change_request.open'])
    expect(entries[1]).toMatchObject({
      actor_email: people.requester.email,
      before: null,
      after: opened,
      metadata: { origin: 'direct', change_request_id: opened.id, request_id: expect.any(String) },
    })
  })

  it.each([
    ['a percentage above 100', { rollout_percentage: 101 }],
    ['another key', { key: 'another' }],
    ['a value that does not fit the type', { default_value: 'text' }],
    ['is_enabled null', { is_enabled: null }],
    ['variants of a boolean flag', { variants: [{ weight: 1, value: true }] }],
  ])('a PATCH with %s is 422 without a request', async (_, patch) => {
    expect((await production.patch(key, patch, people.requester.as)).status).toBe(422)
    expect(typesOf(await production.events(key))).toEqual(['flag.created'])
    expect((await production.requests()).body).not.toContainEqual(expect.objectContaining({ flag_key: key }))
  })

  it('a PATCH of a missing flag is 404', async () => {
    expect((await production.patch('nowhere', { is_enabled: true }, people.requester.as)).status).toBe(404)
  })

  it('a PATCH of a stale revision is 412 without a request', async () => {
    const { revision } = await flag()
    const send = (ifMatch: string) =>
      server.call({
        method: 'PATCH',
        path: `/api/environments/${production.id}/flags/${key}`,
        body: { is_enabled: true },
        headers: { 'if-match': ifMatch },
      })
    expect((await send(`"${revision + 1}"`)).status).toBe(412)
    expect(typesOf(await production.events(key))).toEqual(['flag.created'])
    expect((await send(`"${revision}"`)).status).toBe(202)
  })

  it('a PATCH of every caller is queued: workspace admin, project admin, editor, token, server key', async () => {
    const senders = ['admin', people.admin.as, people.editor.as, people.askerToken, people.key] as const
    for (const as of senders) {
      expect((await production.patch(key, { is_enabled: true }, as)).status).toBe(202)
    }
    const { body } = await production.requests('?status=pending')
    const names = body
      .filter(({ flag_key }: { flag_key: string }) => flag_key === key)
      .map(({ requested_by }: { requested_by: string }) => requested_by)
    expect(names).toEqual([
      'sdk-key:robot',
      people.requester.email,
      people.editor.email,
      people.admin.email,
      'ada@example.com',
    ])
  })

  it('a PATCH of a viewer, a client key or a caller from another project is 403', async () => {
    for (const as of [people.viewer.as, people.client_key, people.outsider.as]) {
      expect((await production.patch(key, { is_enabled: true }, as)).status).toBe(403)
    }
    expect(typesOf(await production.events(key))).toEqual(['flag.created'])
  })

  it('a PATCH is applied directly once approval is disabled', async () => {
    const staging = createEnvironmentCalls(server, server.environments.staging)
    await staging.put({ key })
    await staging.require({ require_approval: true })
    expect((await staging.patch(key, { is_enabled: true }, people.requester.as)).status).toBe(202)
    await staging.require({ require_approval: false })
    expect((await staging.patch(key, { rollout_percentage: 7 }, people.requester.as)).status).toBe(200)
    expect((await staging.requests()).body).toMatchObject([{ status: 'pending' }])
  })
})

describe('the list of change requests', () => {
  it('the list of change requests has the newest first, of all states or of one', async () => {
    const ids: number[] = []
    for (let i = 0; i < 4; i += 1) ids.push((await ask({ rollout_percentage: i })).id)
    const [approved = 0, rejected = 0, cancelled = 0, pending = 0] = ids
    await production.approve(approved, people.editor.as)
    await production.reject(rejected, people.editor.as)
    await production.cancel(cancelled, people.requester.as)
    const listed = async (query: string) =>
      (await production.requests(query)).body
        .filter(({ flag_key }: { flag_key: string }) => flag_key === key)
        .map(({ id }: { id: number }) => id)
    expect(await listed('')).toEqual([pending, cancelled, rejected, approved])
    expect(await listed('?status=approved')).toEqual([approved])
    expect(await listed('?status=rejected')).toEqual([rejected])
    expect(await listed('?status=cancelled')).toEqual([cancelled])
    expect(await listed('?status=pending')).toEqual([pending])
    for (const request of (await production.requests('?status=approved')).body) {
      expect(request).toMatchObject({ status: 'approved', preview: null })
    }
  })

  it.each(['?status=open', '?status=', '?status=pending&status=approved', '?status=PENDING'])(
    'the list of change requests is 422 with %s',
    async (query) => {
      expect((await production.requests(query)).status).toBe(422)
    },
  )

  it.each([0, 1, 19, 20, 21, 45])(
    'of %i requests is one JSON list, the pending ones first',
    async (count) => {
      const staging = createEnvironmentCalls(server, await newEnvironment())
      const keys = ['flag-a', 'flag-b', 'flag-c']
      for (const one of keys) await staging.put({ key: one, description: 'Zwölf, 漢字, \u2028 "quotes"' })
      await staging.require({ require_approval: true })
      const asked: { id: number; status: string }[] = []
      for (let index = 0; index < count; index += 1) {
        const { body } = await staging.patch(keys[index % 3] ?? '', { rollout_percentage: index }, 'admin')
        const decided = index % 4 === 1 ? 'rejected' : 'pending'
        if (decided === 'rejected') await staging.reject(body.id, 'admin')
        asked.unshift({ id: body.id, status: decided })
      }
      const listed = await staging.requests('?preview=true')
      expect(listed.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(listed.body.map(({ id, status }: ChangeRequest) => ({ id, status }))).toEqual(
        ['pending', 'rejected'].flatMap((status) => asked.filter((request) => request.status === status)),
      )
      const of = (status: string) => asked.filter((request) => request.status === status).map(({ id }) => id)
      for (const status of ['pending', 'rejected', 'approved']) {
        const { body } = await staging.requests(`?status=${status}`)
        expect(body.map(({ id }: ChangeRequest) => id)).toEqual(of(status))
      }
      for (const { flag_key, patch, preview, status } of listed.body) {
        if (status !== 'pending') expect(preview).toBeNull()
        else expect(preview.after).toMatchObject({ key: flag_key, ...patch })
      }
      for (const query of ['', '?preview=false']) {
        const { body } = await staging.requests(query)
        expect(body).toEqual(
          listed.body.map((request: ChangeRequest) => ({
            ...request,
            preview: null,
            decided_change: null,
          })),
        )
      }
    },
  )

  it('HEAD of the list of change requests has no body', async () => {
    const answer = await production.send('HEAD', '/change-requests', people.viewer.as)
    expect(answer).toMatchObject({ status: 200, body: '' })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('a cursor with a rank that no list has gets an empty page, not an error of the server', async () => {
    const cursor = Buffer.from(JSON.stringify(['change_requests', 3_000_000_000, 1])).toString('base64url')
    const reply = await production.send('GET', `/change-requests?cursor=${cursor}`, people.viewer.as)
    expect([reply.status, reply.body]).toEqual([200, []])
  })

  it('a large list of change requests continues behind its cursor, also after callers that left', async () => {
    const environment_id = await newEnvironment()
    const many = createEnvironmentCalls(server, environment_id)
    await many.put({ key, default_value: 'x'.repeat(100_000), flag_type: 'string' })
    await many.require({ require_approval: true })
    const { body: first } = await many.patch(key, { tags: ['a'] }, 'admin')
    await server.database.pool.query(
      `insert into change_requests (environment_id, flag_key, operation, patch, body, requested_by, requester, base_flag, created_at)
       select environment_id, flag_key, operation, patch, body, requested_by, requester, base_flag, created_at
       from change_requests, generate_series(1, 200) where id = $1`,
      [first.id],
    )
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const stop = new AbortController()
        const answer = await fetch(`${server.url}/api/environments/${environment_id}/change-requests`, {
          headers: { cookie: server.cookie },
          signal: stop.signal,
        })
        await answer.body?.getReader().read()
        stop.abort()
      }),
    )
    await eventually(async () => {
      const { rows } = await server.database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%change_requests%' and pid <> pg_backend_pid()",
      )
      return rows.length === 0
    })
    const ids: number[] = []
    await many.reject(first.id, 'admin')
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Answer = await many.requests(`?preview=true${cursor && `&cursor=${cursor}`}`)
      ids.push(...page.body.map(({ id }: ChangeRequest) => id))
      cursor = page.headers.get('x-next-cursor')
    }
    expect(ids).toHaveLength(201)
    // The one that is decided comes last.
    expect(ids.at(-1)).toBe(first.id)
    expect(ids.slice(0, -1)).toEqual([...new Set(ids.slice(0, -1))].sort((a, b) => b - a))
    expect(server.logged()).not.toMatch(/"level":"(error|fatal)"/)
  })

  it('the list of change requests reads the flags of many requests together', async () => {
    const environment_id = await newEnvironment()
    const many = createEnvironmentCalls(server, environment_id)
    for (const name of ['one', 'two', 'three']) await many.put({ key: name })
    await many.require({ require_approval: true })
    for (const name of ['one', 'two', 'three']) await many.patch(name, { tags: [name] }, 'admin')
    await server.database.pool.query(
      `insert into change_requests (environment_id, flag_key, operation, patch, body, requested_by, requester, base_flag, created_at)
       select environment_id, flag_key, operation, patch, body, requested_by, requester, base_flag, created_at
       from change_requests, generate_series(1, 19) where environment_id = $1`,
      [environment_id],
    )
    let statements = 0
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const db = server.database.db.withPlugin(counting)
    const budget = createResponseBudget({ clock: systemClock }, { maxBytes: 1024 * 1024 })
    const moment = { now: new Date().toISOString(), budget: createCheckBudget(() => 0) }
    const { bytes } = await listChangeRequests(
      { db, budget },
      {
        environment_id,
        status: undefined,
        preview: true,
        moment,
        limit: 60,
        actor: aKeyActor(),
        membership: null,
      },
    )
    const answered: ChangeRequest[] = JSON.parse(String(bytes))
    expect(answered).toHaveLength(60)
    for (const { flag_key, preview } of answered) expect(preview?.after?.tags).toEqual([flag_key])
    expect(statements).toBeLessThan(10)
  })

  it('of 1,000 pending requests on large flags fits into one response without previews', async () => {
    const environment_id = await newEnvironment()
    const many = createEnvironmentCalls(server, environment_id)
    await many.put({ key, default_value: 'x'.repeat(100_000), flag_type: 'string' })
    await many.require({ require_approval: true })
    const { body: first } = await many.patch(key, { tags: ['a'] }, 'admin')
    await server.database.pool.query(
      `insert into change_requests (environment_id, flag_key, operation, patch, body, requested_by, requester, base_flag, created_at)
       select environment_id, flag_key, operation, patch, body, requested_by, requester, base_flag, created_at
       from change_requests, generate_series(1, 999) where id = $1`,
      [first.id],
    )
    const listed = await many.requests('?status=pending')
    expect(listed.body).toHaveLength(1_000)
    expect(listed.headers.get('x-next-cursor')).toBeNull()
    expect(JSON.stringify(listed.body).length).toBeLessThan(1_000_000)
  })

  it.each(['?preview=yes', '?preview='])('with %s is 422', async (query) => {
    expect((await production.requests(query)).status).toBe(422)
  })

  it('the list of change requests is for everyone who may read the environment', async () => {
    const statuses: number[] = []
    for (const as of [
      people.viewer.as,
      people.key,
      people.outsider.as,
      people.client_key,
      'anonymous',
    ] as const) {
      statuses.push((await production.requests('', as)).status)
    }
    expect(statuses).toEqual([200, 200, 403, 403, 401])
  })

  it('the list of change requests has only those of its environment', async () => {
    const { id } = await ask()
    const development = createEnvironmentCalls(server, server.environments.development)
    expect((await development.requests()).body).toEqual([])
    expect((await development.approve(id, people.editor.as)).status).toBe(404)
    expect((await development.reject(id, people.editor.as)).status).toBe(404)
    expect((await development.cancel(id, people.requester.as)).status).toBe(404)
  })
})

describe('the preview of a pending request', () => {
  it('a preview shows the effect of approving on the current flag, and what has changed since', async () => {
    const { id } = await ask({ rollout_percentage: 50, tags: ['new'] })
    await production.put({ key, description: 'Changed meanwhile', rollout_percentage: 20 })
    const now = await flag()
    expect((await production.request(id)).preview).toEqual({
      before: now,
      after: { ...now, rollout_percentage: 50, tags: ['new'] },
      changes: [
        { path: '/rollout_percentage', before: 20, after: 50 },
        { path: '/tags', before: [], after: ['new'] },
      ],
      conflicts: ['/rollout_percentage', '/description'],
    })
  })

  it('a preview explains why the request could not be approved now', async () => {
    const { id } = await ask({ default_value: false })
    await production.put({ key, flag_type: 'string' })
    const { preview } = await production.request(id)
    expect(preview).toMatchObject({
      after: null,
      changes: [],
      conflicts: expect.arrayContaining(['/flag_type']),
    })
    expect(preview.problem).toMatch(/default_value/)
  })

  it('a preview of a deleted flag shows nothing of it', async () => {
    const { id } = await ask()
    await production.remove(key)
    expect((await production.request(id)).preview).toEqual({
      before: null,
      after: null,
      changes: [],
      conflicts: [],
      problem: expect.any(String),
    })
  })

  it('a preview of a flag that was deleted and created again says so, and approving cancels the request: 404', async () => {
    const { id } = await ask()
    await production.remove(key)
    await production.put({ key, description: 'Another life' })
    const before = await flag()
    expect((await production.request(id)).preview).toMatchObject({
      before: null,
      problem: 'The flag was deleted.',
    })
    const approved = await production.approve(id, people.editor.as)
    expect(approved).toMatchObject({ status: 404, body: { error: expect.stringContaining('canceled') } })
    expect((await production.request(id)).status).toBe('cancelled')
    expect(await flag()).toEqual(before)
    expect(actionsOf(await production.audit(key)).at(-1)).toBe('change_request.cancel')
    // A request after the re-creation concerns the new flag.
    expect((await production.approve((await ask()).id, people.editor.as)).status).toBe(200)
  })

  it('a preview of a flag that an instance with a clock ahead created shows that flag', async () => {
    await server.database.pool.query(
      "update flags set created_at = now() + interval '1 minute' where key = $1",
      [key],
    )
    const { id } = await ask()
    expect((await production.request(id)).preview.after.is_enabled).toBe(true)
    expect((await production.approve(id, people.editor.as)).status).toBe(200)
  })

  it('a preview of an unreadable request says so, approving is 422, and the list continues', async () => {
    const [broken, whole] = [await ask(), await ask({ tags: ['whole'] })]
    await server.database.pool.query('update change_requests set body = $1 where id = $2', [
      JSON.stringify({ operation: 'patch', patch: { rules: 'x' } }),
      broken.id,
    ])
    const before = await flag()
    const { preview } = await production.request(broken.id)
    expect(preview).toMatchObject({ before, after: null, changes: [] })
    expect(preview.problem).toMatch(/cannot be read any more/)
    expect((await production.request(whole.id)).preview.after.tags).toEqual(['whole'])
    const approved = await production.approve(broken.id, people.editor.as)
    expect(approved).toMatchObject({ status: 422, body: { error: preview.problem } })
    expect((await production.request(broken.id)).status).toBe('pending')
    expect(await flag()).toEqual(before)
    expect((await production.reject(broken.id, people.editor.as)).status).toBe(204)
  })
})

describe('warnings of change requests', () => {
  const GHOST = { rules: [{ segment_key: 'ghost' }] }
  const unknown_segment = expect.objectContaining({ code: 'unknown_segment', path: '/rules/0/segment_key' })
  const unknown_field = expect.objectContaining({ code: 'unknown_field', path: '/colour' })

  it('warnings come with the 202 and with the approval, and are absent when there are none', async () => {
    const asked = await production.patch(key, { ...GHOST, colour: 'red' }, people.requester.as)
    expect(asked).toMatchObject({ status: 202, body: { warnings: [unknown_segment, unknown_field] } })
    // It belongs to the response, not to the request.
    expect(await production.request(asked.body.id)).not.toHaveProperty('warnings')
    const approved = await production.approve(asked.body.id, people.editor.as)
    expect(approved).toMatchObject({ status: 200, body: { warnings: [unknown_segment] } })

    const plain = await production.patch(key, { rules: [] }, people.requester.as)
    expect(plain.body).not.toHaveProperty('warnings')
    expect((await production.approve(plain.body.id, people.editor.as)).body).not.toHaveProperty('warnings')
  })

  it('a bulk action returns the warnings of each key', async () => {
    const plain = `${key}-plain`
    await production.put({ key: plain })
    await production.approve((await ask(GHOST)).id, people.editor.as)
    const body = { keys: [key, plain], action: 'enable' }
    const { results } = (await production.send('POST', '/flags/bulk', people.requester.as, body)).body
    expect(results[0]).toMatchObject({ status: 202, change_request: { warnings: [unknown_segment] } })
    expect(results[1].change_request).not.toHaveProperty('warnings')
  })
})
