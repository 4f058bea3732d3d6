import { randomUUID } from 'node:crypto'
import { type Endpoint, endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import {
  ADMIN,
  type As,
  type Call,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

let first: TestServer
let second: TestServer
let made = 0

beforeAll(async () => {
  first = await startTestServer({ env: { TOKEN_MAX_DAYS: '30' } })
  second = await startTestServer({ database: first.database, env: { TOKEN_MAX_DAYS: '30' } })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const PATH = '/api/service-accounts'

async function succeed(call: Call) {
  const { body, status } = await first.call(call)
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

/** Creates an account with a token; a member of the project where a role is given. */
async function newAccount(role: string | null = 'editor', as: As = 'admin') {
  made += 1
  const name = `robot ${made}`
  const { id } = await succeed({ path: PATH, body: { name }, as })
  if (role !== null) {
    const path = `/api/projects/${first.project.id}/members`
    await succeed({ path, body: { user_id: id, role } })
  }
  const { token } = await newToken(id, as)
  return { id, name, token, bearer: { bearer: token } }
}

const newToken = (id: number, as: As = 'admin', scope = 'read_write') =>
  succeed({
    path: `${PATH}/${id}/tokens`,
    body: { name: `nightly ${scope}`, scope, expires_in_days: 7 },
    as,
  })

async function newAdmin() {
  made += 1
  return addUser(first, { email: `admin-${made}@example.com`, role: 'admin' })
}

describe('a service account', () => {
  test('it is created, listed, renamed and deleted by workspace admins', async () => {
    const account = await succeed({ path: PATH, body: { name: 'Deploy pipeline' } })
    expect(account).toEqual({
      id: account.id,
      name: 'Deploy pipeline',
      actor: 'service-account:Deploy pipeline',
      created_at: expect.any(String),
      disabled_at: null,
      memberships: [],
    })
    const renamed = await succeed({
      method: 'PATCH',
      path: `${PATH}/${account.id}`,
      body: { name: 'Deployments' },
    })
    expect(renamed).toMatchObject({ name: 'Deployments', actor: 'service-account:Deployments' })
    expect(await succeed({ path: PATH })).toContainEqual(renamed)
    await succeed({ method: 'DELETE', path: `${PATH}/${account.id}` })
    expect(await succeed({ path: PATH })).not.toContainEqual(renamed)
  })

  test('the name is unique ignoring case, and cannot look like an e-mail', async () => {
    const { id, name } = await newAccount(null)
    const other = await newAccount(null)
    expect((await first.call({ path: PATH, body: { name: name.toUpperCase() } })).status).toBe(409)
    const patch = { method: 'PATCH', path: `${PATH}/${other.id}`, body: { name } }
    expect((await first.call(patch)).status).toBe(409)
    for (const bad of ['', ' ', 'a@b', 'two  spaces', ' padded', 'line\nbreak', 'x'.repeat(101)]) {
      expect((await first.call({ path: PATH, body: { name: bad } })).status, bad).toBe(422)
    }
    await succeed({ method: 'PATCH', path: `${PATH}/${id}`, body: { name: name.toUpperCase() } })
  })

  test('it is no person: no list of users, and nothing under their paths', async () => {
    const { id, name } = await newAccount()
    const ids = (users: { id: number }[]) => users.map((user) => user.id)
    expect(ids(await succeed({ path: '/api/users' }))).not.toContain(id)
    const asked = await succeed({ path: '/api/users?kind=service_account' })
    expect(asked).toContainEqual(
      expect.objectContaining({ id, kind: 'service_account', email: `service-account:${name}` }),
    )
    const ofUsers = Object.values<Endpoint>(endpoints).filter(({ path }) => path.startsWith('/api/users/:id'))
    expect(ofUsers.length).toBeGreaterThan(10)
    for (const { body, method, path } of ofUsers) {
      const [example] = Object(body).examples ?? []
      const call: Call = {
        method,
        path: path.replace(':id', String(id)).replace(':token_id', '1').replace(':session_id', randomUUID()),
        ...(example !== undefined && { body: example }),
      }
      expect((await first.call(call)).status, `${method} ${path}`).toBe(404)
    }
    const { status } = await first.call({ method: 'PATCH', path: `${PATH}/1`, body: { name: 'a person' } })
    expect(status).toBe(404)
  })

  test('no login of any kind is possible, and the database refuses one', async () => {
    const { id, name } = await newAccount()
    const email = `service-account:${name}`
    const body = { email, password: ADMIN.password }
    expect((await first.call({ path: '/api/auth/login', body, as: 'anonymous' })).status).toBe(401)
    const { db } = first.database
    const times = { created_at: new Date().toISOString(), expires_at: new Date().toISOString() }
    const session = { id: crypto.randomUUID(), user_id: id, expires_at: times.expires_at }
    await expect(db.insertInto('sessions').values(session).execute()).rejects.toThrow('has no login')
    const link = { id: crypto.randomUUID(), user_id: id, purpose: 'invitation', token_hash: 'x' } as const
    await expect(
      db
        .insertInto('one_time_links')
        .values({ ...link, ...times })
        .execute(),
    ).rejects.toThrow('has no login')
    for (const set of [{ password_hash: 'x' }, { role: 'admin' as const }]) {
      await expect(db.updateTable('users').set(set).where('id', '=', id).execute()).rejects.toThrow(
        'users_service_account_check',
      )
    }
  })
})

describe('rights of a service account', () => {
  test('it is a member like a person, with a mark, roles in environments and custom roles', async () => {
    const { bearer, id } = await newAccount(null)
    const members = `/api/projects/${first.project.id}/members`
    const flags = (environment_id: string) => `/api/environments/${environment_id}/flags`
    const { production, staging } = first.environments
    expect((await first.call({ path: flags(staging), as: bearer })).status).toBe(403)
    const candidates = await succeed({ path: `${members}/candidates?q=robot` })
    expect(candidates).toContainEqual(expect.objectContaining({ user_id: id, kind: 'service_account' }))
    const role = { key: `writer-${id}`, name: 'Writer', permissions: ['read_environment', 'write_flags'] }
    await succeed({ path: '/api/roles', body: role })
    const added = await succeed({ path: members, body: { user_id: id, role: role.key } })
    expect(added).toMatchObject({ kind: 'service_account', role: role.key })
    await succeed({
      method: 'PATCH',
      path: `${members}/${id}`,
      body: { environment_roles: [{ environment_id: production, role: 'viewer' }] },
    })
    const create = (environment_id: string) =>
      first.call({
        path: flags(environment_id),
        body: { key: `robot-flag-${id}`, is_enabled: true },
        as: bearer,
      })
    expect((await create(staging)).status).toBe(200)
    expect((await create(production)).status).toBe(403)
    const listed = await succeed({ path: PATH })
    expect(listed).toContainEqual(
      expect.objectContaining({
        id,
        memberships: [{ project_id: first.project.id, project_name: first.project.name, role: role.key }],
      }),
    )
  })

  test('the audit log names it, with the id of its token', async () => {
    const { bearer, name } = await newAccount()
    const path = `/api/environments/${first.environments.staging}/flags`
    await succeed({ path, body: { key: `audited-${made}`, is_enabled: true }, as: bearer })
    const actor = `service-account:${name}`
    const [entry] = await succeed({ path: `/api/audit?actor=${encodeURIComponent(actor)}&action=create` })
    expect(entry).toMatchObject({ actor_email: actor, flag_key: `audited-${made}` })
    expect(entry.metadata.credential).toEqual({ kind: 'access_token', id: expect.any(Number) })
  })

  test('it changes nothing about itself and creates no tokens', async () => {
    const { bearer, id } = await newAccount()
    const calls: Call[] = [
      { path: '/api/tokens', body: { name: 'more', scope: 'read_write', expires_in_days: 1 } },
      { method: 'PATCH', path: '/api/auth/me', body: { name: 'Another' } },
      { path: '/api/auth/password', body: { current_password: 'x', new_password: 'a long password' } },
      { path: '/api/auth/reauthenticate', body: { password: 'x' } },
      { method: 'DELETE', path: '/api/auth/sessions' },
      { path: `${PATH}/${id}/tokens`, body: { name: 'more', scope: 'read_write' } },
      { path: PATH, body: { name: 'another robot' } },
    ]
    for (const call of calls) {
      const method = call.method ?? 'POST'
      expect((await first.call({ ...call, method, as: bearer })).status, call.path).toBe(403)
    }
    expect((await first.call({ path: '/api/auth/me', as: bearer })).status).toBe(200)
  })
})

describe('endpoints of people and of the workspace', () => {
  const OWN = Object.values<Endpoint>(endpoints).filter(
    ({ access, method }) => access === 'workspace_admin' || (access === 'account' && method !== 'GET'),
  )
  const known = { id: '1', key: 'viewer', token_id: '1', session_id: crypto.randomUUID() }

  test('a service account with every role of a project uses none of them', async () => {
    const { bearer } = await newAccount('admin')
    for (const { method, path } of OWN) {
      const filled = path.replace(/:(\w+)/g, (_all, name: string) =>
        name === 'project_id' ? first.project.id : (known[name as keyof typeof known] ?? '1'),
      )
      const answer = await first.call({ method, path: filled, as: bearer })
      // What does not exist is 404, to everyone.
      expect([403, 404], `${method} ${path}`).toContain(answer.status)
    }
    expect((await first.call({ path: '/api/auth/me', as: bearer })).status).toBe(200)
  })
})

describe('the scheduled changes of a service account', () => {
  /** Creates an account with scheduled changes of a flag of its own. */
  async function newPlanner(count: number) {
    const { bearer, id, name } = await newAccount()
    const flags = `/api/environments/${first.environments.staging}/flags`
    const key = `planned-${id}`
    await succeed({ path: flags, body: { key, is_enabled: true } })
    for (let n = 0; n < count; n += 1) {
      const body = { scheduled_at: '2199-01-01T00:00:00Z', patch: { description: `change ${n}` } }
      await succeed({ path: `${flags}/${key}/scheduled-changes`, body, as: bearer })
    }
    const authors = async () => {
      const listed = await succeed({ path: `${flags}/${key}/scheduled-changes` })
      return listed.map(({ scheduled_by }: { scheduled_by: string }) => scheduled_by)
    }
    const patch = (body: object) => first.call({ method: 'PATCH', path: `${PATH}/${id}`, body })
    return { name, authors, patch }
  }

  test('disabling keeps them, or withdraws them where the call wants it', async () => {
    const { authors, name, patch } = await newPlanner(2)
    const author = `service-account:${name}`

    const kept = await patch({ is_disabled: true })
    expect([kept.status, kept.body.schedules]).toEqual([200, { kept: 2, cancelled: 0 }])
    expect(await authors()).toEqual([author, author])
    const cancelled = await patch({ is_disabled: true, schedules: 'cancel' })
    expect([cancelled.status, cancelled.body.schedules]).toEqual([200, { kept: 0, cancelled: 2 }])

    expect(await authors()).toEqual([])
    const audit = await succeed({ path: `/api/environments/${first.environments.staging}/audit?limit=2` })
    for (const entry of audit) {
      expect(entry).toMatchObject({ action: 'unschedule', actor_email: ADMIN.email })
      expect(entry.metadata.comment).toContain(author)
    }
  })

  test('a choice without disabling is refused, and no other change has the numbers', async () => {
    const { authors, patch } = await newPlanner(1)
    for (const body of [{ schedules: 'cancel' }, { is_disabled: false, schedules: 'cancel' }]) {
      const refused = await patch(body)
      expect([refused.status, refused.body.details[0].path]).toEqual([422, '/schedules'])
    }
    expect((await patch({ is_disabled: false })).body).not.toHaveProperty('schedules')
    expect(await authors()).toHaveLength(1)
  })

  test('they follow a new name', async () => {
    const { authors, name, patch } = await newPlanner(1)
    await patch({ name: `${name} renamed` })
    expect(await authors()).toEqual([`service-account:${name} renamed`])
    const disabled = await patch({ is_disabled: true, schedules: 'cancel' })
    expect(disabled.body.schedules).toEqual({ kept: 0, cancelled: 1 })
  })
})

describe('tokens of a service account', () => {
  test('they have a scope, a last use and an end of at most TOKEN_MAX_DAYS', async () => {
    const { bearer, id, token } = await newAccount()
    const read = await newToken(id, 'admin', 'read_only')
    const body = { key: `by-reader-${id}`, is_enabled: true }
    const path = `/api/environments/${first.environments.staging}/flags`
    expect((await first.call({ path, body, as: { bearer: read.token } })).status).toBe(403)
    await succeed({ path, body, as: bearer })
    const listed = await succeed({ path: `${PATH}/${id}/tokens` })
    expect(listed).toHaveLength(2)
    expect(listed[0]).toMatchObject({ scope: 'read_write', last_used_at: expect.any(String) })
    expect(JSON.stringify(listed)).not.toContain(token)
    const long = { name: 'long', scope: 'read_only', expires_in_days: 31 }
    expect((await first.call({ path: `${PATH}/${id}/tokens`, body: long })).status).toBe(422)
    await succeed({ method: 'DELETE', path: `${PATH}/${id}/tokens/${listed[0].id}` })
    expect((await first.call({ path: '/api/auth/me', as: bearer })).status).toBe(401)
  })

  test.each(['disabled', 'deleted'])(
    'streams and tokens of a %s account end on both instances',
    async (how) => {
      const { bearer, id, token } = await newAccount()
      const stream = await readStream(`${second.url}/stream`, { authorization: `Bearer ${token}` })
      await stream.until(({ event }) => event === 'ready')
      const path = `${PATH}/${id}`
      await succeed(
        how === 'deleted'
          ? { method: 'DELETE', path }
          : { method: 'PATCH', path, body: { is_disabled: true } },
      )
      for (const on of [first, second]) {
        expect((await on.call({ path: '/api/auth/me', as: bearer })).status).toBe(401)
      }
      await eventually(() => stream.ended())
      const body = { name: 'late', scope: 'read_only', expires_in_days: 1 }
      const status = (await first.call({ path: `${path}/tokens`, body })).status
      expect(status).toBe(how === 'deleted' ? 404 : 409)
      if (how === 'deleted') return
      expect(await succeed({ method: 'PATCH', path, body: { is_disabled: false } })).toMatchObject({
        disabled_at: null,
      })
      expect((await first.call({ path: '/api/auth/me', as: bearer })).status).toBe(401)
      const renewed = await newToken(id)
      expect((await first.call({ path: '/api/auth/me', as: { bearer: renewed.token } })).status).toBe(200)
    },
  )
})

describe.each(['patch', 'all'] as const)('approvals under scope %s', (approval_scope) => {
  let environment_id = ''

  beforeAll(async () => {
    const path = `/api/projects/${first.project.id}/environments`
    const environment = await succeed({
      path,
      body: { name: `Guarded ${approval_scope}`, slug: `guarded-${approval_scope}`, color: '#123456' },
    })
    environment_id = environment.id
    await succeed({
      path: `/api/environments/${environment_id}/flags`,
      body: { key: 'guarded', is_enabled: true },
    })
    const approval = { require_approval: true, approval_scope, keys_may_manage: true }
    await succeed({
      method: 'POST',
      path: `/api/projects/${first.project.id}/environments/${environment_id}/require-approval`,
      body: approval,
    })
  })

  async function request(as: As): Promise<string> {
    made += 1
    const path = `/api/environments/${environment_id}/flags/guarded`
    const body = { description: `Text ${made}` }
    const answer = await first.call({ method: 'PATCH', path, body, as })
    expect([answer.status, answer.body]).toEqual([202, expect.anything()])
    return `/api/environments/${environment_id}/change-requests/${answer.body.id}`
  }
  const approve = async (path: string, as: As) =>
    (await first.call({ method: 'POST', path: `${path}/approve`, as })).status
  const waiting = async (as: As): Promise<number[]> => {
    const path = `/api/environments/${environment_id}/change-requests?waiting_for_me=true&status=pending`
    return (await succeed({ path, as })).map(({ id }: { id: number }) => id)
  }

  test('those who made the account or a token of it approve none of its requests', async () => {
    const [creator, tokenMaker, other] = await Promise.all([newAdmin(), newAdmin(), newAdmin()])
    const { bearer, id } = await newAccount('editor', creator)
    await newToken(id, tokenMaker)
    const path = await request(bearer)
    const request_id = Number(path.split('/').at(-1))
    expect(await approve(path, creator)).toBe(403)
    expect(await approve(path, tokenMaker)).toBe(403)
    expect(await waiting(creator)).not.toContain(request_id)
    expect(await waiting(other)).toContain(request_id)
    // One that makes a token after the request is behind it too.
    const late = await newAdmin()
    await newToken(id, late)
    expect(await approve(path, late)).toBe(403)
    expect(await approve(path, bearer)).toBe(403)
    // The account is gone, and the request still knows who made it.
    await succeed({ method: 'DELETE', path: `${PATH}/${id}` })
    expect(await approve(path, creator)).toBe(403)
    expect(await approve(path, other)).toBe(200)
  })

  test('a key that a service account created is one of those who made the account', async () => {
    const [creator, other] = await Promise.all([newAdmin(), newAdmin()])
    const { bearer } = await newAccount('admin', creator)
    const body = { name: `key ${made}`, environment_id, kind: 'server' }
    const { key } = await succeed({ path: `/api/projects/${first.project.id}/keys`, body, as: bearer })
    const path = await request({ bearer: key })
    expect(await approve(path, creator)).toBe(403)
    expect(await approve(path, bearer)).toBe(403)
    expect(await approve(path, other)).toBe(200)
  })

  test('a key of a service account that was deleted is still one of those who made the account', async () => {
    const [creator, other] = await Promise.all([newAdmin(), newAdmin()])
    const { bearer, id } = await newAccount('admin', creator)
    const keys = `/api/projects/${first.project.id}/keys`
    const newKey = async (as: As): Promise<As> => {
      made += 1
      const body = { name: `key ${made}`, environment_id, kind: 'server' }
      return { bearer: (await succeed({ path: keys, body, as })).key }
    }
    const key = await newKey(bearer)
    await succeed({ method: 'DELETE', path: `${PATH}/${id}` })
    // Keys that it creates from then on have the same people behind them.
    for (const left of [key, await newKey(key)]) {
      const path = await request(left)
      expect(await approve(path, creator)).toBe(403)
      expect(await waiting(creator)).not.toContain(Number(path.split('/').at(-1)))
      expect(await approve(await request(creator), left)).toBe(403)
      expect(await approve(path, other)).toBe(200)
    }
  })

  test('a service account approves nothing of those who made it', async () => {
    const [creator, other] = await Promise.all([newAdmin(), newAdmin()])
    const { bearer } = await newAccount('editor', creator)
    const own = await request(creator)
    const foreign = await request(other)
    expect(await approve(own, bearer)).toBe(403)
    const answer = await first.call({ method: 'POST', path: `${foreign}/approve`, as: bearer })
    if (approval_scope === 'patch') {
      expect(answer.status).toBe(200)
      return
    }
    expect(answer.status).toBe(403)
    expect(answer.body.error).toMatch(/^A service account cannot approve or reject here/)
    const body = { reason: 'no' }
    const reject = await first.call({ method: 'POST', path: `${foreign}/reject`, body, as: bearer })
    expect(reject.status).toBe(403)
    expect(await waiting(bearer)).toEqual([])
  })
})

test('a person and a service account that they made count as one approval', async () => {
  const path = `/api/projects/${first.project.id}/environments`
  const { id: environment_id } = await succeed({
    path,
    body: { name: 'Two approvals', slug: 'two', color: '#123456' },
  })
  const flag = `/api/environments/${environment_id}/flags`
  await succeed({ path: flag, body: { key: 'twice', is_enabled: true } })
  const approval = { require_approval: true, approval_scope: 'patch', min_approvals: 2 }
  await succeed({
    method: 'POST',
    path: `/api/projects/${first.project.id}/environments/${environment_id}/require-approval`,
    body: approval,
  })
  const [creator, other] = await Promise.all([newAdmin(), newAdmin()])
  const { bearer } = await newAccount('editor', creator)
  const { body } = await first.call({ method: 'PATCH', path: `${flag}/twice`, body: { description: 'x' } })
  const at = `/api/environments/${environment_id}/change-requests/${body.id}/approve`
  expect((await first.call({ method: 'POST', path: at, as: creator })).status).toBe(202)
  expect((await first.call({ method: 'POST', path: at, as: bearer })).status).toBe(409)
  expect((await first.call({ method: 'POST', path: at, as: other })).status).toBe(200)
})
