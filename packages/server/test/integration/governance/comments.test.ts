import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnvironmentCalls, type EnvironmentCalls } from '../../governance/environment-calls.ts'
import { addUser, type TestUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const FAR_AHEAD = '9999-12-31T23:59:59Z'

let server: TestServer
let production: EnvironmentCalls
let staging: EnvironmentCalls
let editor: TestUser

beforeAll(async () => {
  server = await startTestServer()
  production = createEnvironmentCalls(server, server.environments.production)
  staging = createEnvironmentCalls(server, server.environments.staging)
  editor = await addUser(server, { email: 'edda@example.com', memberOf: { [server.project.id]: 'editor' } })
})
afterAll(() => server.close())

const commentsOf = async (flag_key: string, calls = production) =>
  (await calls.audit(flag_key)).map(({ action, metadata }) => [action, metadata.comment])

const requireComments = (require_comment: boolean) =>
  server.call({
    method: 'PATCH',
    path: `/api/projects/${server.project.id}/environments/${server.environments.development}`,
    body: { require_comment },
  })

describe('a comment on a write', () => {
  it('is in the audit log, the history and the event, and no part of the flag', async () => {
    const key = 'commented'
    await production.put({ key, comment: 'first' })
    const patched = await production.patch(key, { is_enabled: true, comment: '  the launch  ' }, 'admin')
    expect(patched.body).not.toHaveProperty('comment')
    expect(patched.body).not.toHaveProperty('warnings')
    await production.patch(key, { tags: ['a'] }, 'admin')
    await production.send('POST', `/flags/${key}/archive`, 'admin', { comment: 'over' })
    await production.send('POST', `/flags/${key}/unarchive`, 'admin')
    const { body: history } = await production.send('GET', `/flags/${key}/history`, 'admin')
    expect(history.map(({ comment }: { comment: string | null }) => comment)).toEqual([
      null,
      'over',
      null,
      'the launch',
      'first',
    ])
    const revision = history.at(-1).revision
    await production.send('POST', `/flags/${key}/restore`, 'admin', { revision, comment: 'back' })
    await production.send('POST', '/flags/bulk', 'admin', {
      keys: [key],
      action: 'disable',
      comment: 'all off',
    })
    await production.send('DELETE', `/flags/${key}?comment=gone%20now`, 'admin')
    expect(await commentsOf(key)).toEqual([
      ['create', 'first'],
      ['update', 'the launch'],
      ['update', undefined],
      ['archive', 'over'],
      ['unarchive', undefined],
      ['restore', 'back'],
      ['update', 'all off'],
      ['delete', 'gone now'],
    ])
    const comments = (await production.events(key)).map(({ data }) => data.comment)
    expect(comments).toEqual([
      'first',
      'the launch',
      undefined,
      'over',
      undefined,
      'back',
      'all off',
      'gone now',
    ])
  })

  it('of a promotion and of segments is kept as well', async () => {
    await staging.put({ key: 'promoted' })
    const body = { target_env_id: production.id, comment: 'tried in staging' }
    await staging.send('POST', '/flags/promoted/promote', 'admin', body)
    expect(await commentsOf('promoted')).toEqual([['promote', 'tried in staging']])
    const segment = { name: 'VIP', key: 'vip', comment: 'asked for by sales' }
    expect((await production.send('POST', '/segments', 'admin', segment)).body).not.toHaveProperty('warnings')
    await production.send('PATCH', '/segments/vip', 'admin', { rules: [], comment: 'none left' })
    await production.send('DELETE', '/segments/vip?comment=unused', 'admin')
    const { rows } = await server.database.pool.query(
      "select metadata ->> 'comment' as comment from audit_log where metadata ->> 'resource' = 'segment:vip' order by id",
    )
    expect(rows.map(({ comment }) => comment)).toEqual(['asked for by sales', 'none left', 'unused'])
  })

  it('of a request and of its decision are both shown', async () => {
    const environment = createEnvironmentCalls(server, server.environments.staging)
    await environment.put({ key: 'asked' })
    await environment.require({ require_approval: true })
    const ask = async () =>
      (await environment.patch('asked', { is_enabled: true, comment: 'please' }, { cookie: editor.cookie }))
        .body
    const [approved, rejected, cancelled] = [await ask(), await ask(), await ask()]
    expect(approved).toMatchObject({ comment: 'please', review_comment: null, patch: { is_enabled: true } })
    expect(approved.patch).not.toHaveProperty('comment')
    await environment.approve(approved.id, 'admin', { comment: 'looks right' })
    await environment.reject(rejected.id, 'admin', { reason: 'no', comment: 'not today' })
    await environment.send('DELETE', `/change-requests/${cancelled.id}?comment=mistake`, 'admin')
    expect(await environment.request(approved.id)).toMatchObject({ review_comment: 'looks right' })
    expect(await environment.request(rejected.id)).toMatchObject({
      reason: 'no',
      review_comment: 'not today',
    })
    const comments = await commentsOf('asked', environment)
    expect(comments).toContainEqual(['change_request.open', 'please'])
    expect(comments).toContainEqual(['change_request.approve', 'looks right'])
    expect(comments).toContainEqual(['change_request.reject', 'not today'])
    expect(comments).toContainEqual(['change_request.cancel', 'mistake'])
    const again = await ask()
    await environment.approve(again.id, 'admin')
    const { body: history } = await environment.send('GET', '/flags/asked/history', 'admin')
    // Without a word of the reviewer it is the requester's.
    expect(history.map(({ comment }: { comment: string }) => comment)).toEqual([
      'please',
      'looks right',
      null,
    ])
  })

  it('of a schedule is that of the change, when its time has come', async () => {
    await production.put({ key: 'later' })
    const schedule = (scheduled_at: string, comment: string) =>
      production.send('POST', '/flags/later/scheduled-changes', 'admin', {
        scheduled_at,
        comment,
        patch: { is_enabled: true },
      })
    const waiting = await schedule(FAR_AHEAD, 'one day')
    expect(waiting.body.comment).toBe('one day')
    await production.send('DELETE', `/scheduled-changes/${waiting.body.id}?comment=not%20any%20more`, 'admin')
    await schedule('2020-01-01T00:00:00Z', 'at once')
    await eventually(async () => (await production.get('later')).body.is_enabled)
    expect(await commentsOf('later')).toEqual([
      ['create', undefined],
      ['schedule', 'one day'],
      ['unschedule', 'not any more'],
      ['schedule', 'at once'],
      ['update', 'at once'],
    ])
  })

  it.each([
    ['of 501 characters', 'x'.repeat(501), 422],
    ['of 500 characters', '👩'.repeat(500), 200],
    ['that is no text', 7, 422],
    ['with NUL', 'a\0b', 422],
    ['of null', null, 200],
    ['of blanks', '   ', 200],
  ])('%s: %#', async (_title, comment, status) => {
    const answer = await production.put({ key: 'bounded', comment })
    expect(answer.status).toBe(status)
  })
})

describe('an environment that requires comments', () => {
  const withoutComment: [string, string, string, object?][] = [
    ['POST', '/flags', '', { key: 'required', is_enabled: true }],
    ['PATCH', '/flags/required', '', { is_enabled: false }],
    ['POST', '/flags/required/archive', ''],
    ['DELETE', '/flags/required', ''],
    ['POST', '/segments', '', { key: 'required', name: 'Required' }],
    ['POST', '/flags/required/scheduled-changes', '', { scheduled_at: FAR_AHEAD, patch: {} }],
  ]

  it('refuses each write without one, and says so', async () => {
    const development = createEnvironmentCalls(server, server.environments.development)
    await development.put({ key: 'required' })
    expect((await requireComments(true)).body.require_comment).toBe(true)
    for (const [method, path, , body] of withoutComment) {
      const answer = await development.send(method, path, 'admin', body)
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 422,
        body: {
          error: '/comment is required in the environment Development: give the reason.',
          details: [{ path: '/comment' }],
        },
      })
    }
    expect((await development.patch('unknown', {}, 'admin')).status).toBe(404)
    expect((await development.patch('required', { is_enabled: true, comment: 'why' }, 'admin')).status).toBe(
      200,
    )
    const bulk = { keys: ['required'], action: 'disable' }
    const { body } = await development.send('POST', '/flags/bulk', 'admin', bulk)
    expect(body.results).toMatchObject([{ key: 'required', status: 422 }])
    await requireComments(false)
    expect((await development.remove('required')).status).toBe(204)
  })

  it('names a missing comment before it names the state', async () => {
    const development = createEnvironmentCalls(server, server.environments.development)
    const at = `/api/environments/${server.environments.development}`
    const segment = { key: 'taken', name: 'Taken' }
    expect((await development.put({ key: 'moved' })).status).toBe(200)
    expect((await development.send('POST', '/segments', 'admin', segment)).status).toBe(200)
    await requireComments(true)
    const stale = (body: object) =>
      server.call({ path: `${at}/flags/moved`, method: 'PATCH', body, headers: { 'if-match': '"1"' } })
    expect(await stale({ is_enabled: true })).toMatchObject({
      status: 422,
      body: { details: [{ path: '/comment' }] },
    })
    expect((await stale({ is_enabled: true, comment: 'why' })).status).toBe(412)
    expect(await development.send('POST', '/segments', 'admin', segment)).toMatchObject({
      status: 422,
      body: { details: [{ path: '/comment' }] },
    })
    const taken = await development.send('POST', '/segments', 'admin', { ...segment, comment: 'why' })
    expect(taken.status).toBe(409)
    await requireComments(false)
  })

  it('is set by people: a server key cannot lift the requirement, a token of an admin can', async () => {
    const path = `/api/projects/${server.project.id}/environments/${server.environments.production}`
    const set = (require_comment: boolean, as?: { readonly bearer: string }) =>
      server.call({ method: 'PATCH', path, body: { require_comment }, ...(as && { as }) })
    const key = { bearer: server.sdkKey }
    const message = 'An SDK key cannot set require_comment. Sign in as an admin of the project.'
    expect(await set(true, key)).toMatchObject({ status: 403, body: { error: message } })
    await set(true)
    expect(await set(false, key)).toMatchObject({ status: 403, body: { error: message } })
    // A key may send the value that is set, along with what it changes.
    expect((await set(true, key)).body.require_comment).toBe(true)
    const input = { name: 'settings', scope: 'read_write', expires_in_days: 1 }
    const { body: token } = await server.call({ method: 'POST', path: '/api/tokens', body: input })
    expect(await set(false, { bearer: token.token })).toMatchObject({
      status: 200,
      body: { require_comment: false },
    })
  })
})
