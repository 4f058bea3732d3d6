import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addUser } from '../../../harness/add-user.ts'
import { eventually } from '../../../harness/eventually.ts'
import { insertUser } from '../../../harness/insert-user.ts'
import { readStream } from '../../../harness/read-stream.ts'
import {
  ADMIN,
  type Answer,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../../harness/start-test-server.ts'
import { startProvider } from '../../../scim/provider.ts'
import { CLIENT_ID } from '../../../single-sign-on/start-identity-provider.ts'
import {
  finish,
  type SsoServer,
  ssoSettings,
  startSsoServer,
} from '../../../single-sign-on/start-sso-server.ts'
import { createVisitor, type Visitor } from '../../../single-sign-on/visitor.ts'

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

let sso: SsoServer
let second: TestServer

beforeAll(async () => {
  sso = await startSsoServer()
  const env = ssoSettings(sso.provider.issuer, sso.server.url)
  second = await startTestServer({ database: sso.server.database, env })
})
afterAll(async () => {
  await second.close()
  await sso.close()
})
beforeEach(() => sso.server.database.db.deleteFrom('group_mappings').execute())

let serial = 0
const newName = (): string => {
  serial += 1
  return `someone-${serial}`
}

function addPerson(id: string, change: object = {}): string {
  sso.provider.people.set(id, { email: `${id}@example.com`, email_verified: true, name: id, ...change })
  return id
}

const call = (path: string, body?: unknown, method?: string): Promise<Answer> =>
  sso.server.call({ path, ...(body !== undefined && { body }), ...(method !== undefined && { method }) })

const mapGroup = async (group: string, role: string, project_id: string | null = sso.server.project.id) =>
  (await call('/api/workspace/sso/mappings', { group, project_id, role })).body

const statusOf = async (cookie: string, server = sso.server) =>
  (await server.call({ path: '/api/auth/me', as: { cookie } })).status

/** Sends the password of a link that waits in a browser. */
async function confirm(visitor: Visitor, password: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${sso.server.url}/api/auth/sso/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: visitor.cookieFor(sso.server.url), ...headers },
    body: JSON.stringify({ password }),
  })
  return { status: response.status, body: await response.json() }
}

interface Audited {
  readonly action: string
  readonly metadata: { readonly reason?: string }
}

describe('an account that waits for its first login, whose address SCIM changes', () => {
  test('is linked with the person of the new address only while it has no role by hand', async () => {
    const provider = await startProvider(sso.server)
    await mapGroup('everyone', 'viewer')
    for (const role of ['viewer', null]) {
      const invited = await call('/api/users/invitations', {
        email: `${newName()}@example.com`,
        name: 'Invited',
        role: 'viewer',
      })
      const { email, id: user_id } = invited.body.user
      if (role !== null) await call(`/api/projects/${sso.server.project.id}/members`, { user_id, role })
      const id = await provider.newUser(email)
      const person = addPerson(newName(), { groups: ['everyone'] })
      const value = sso.provider.people.get(person)?.email
      expect(
        (await provider.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value }])).status,
      ).toBe(200)
      const { cookie, failure } = await sso.logIn(person)
      if (role === null) {
        expect(await statusOf(cookie)).toBe(200)
      } else {
        expect(failure).toBe('address_unconfirmed')
        const { body } = await call(`/api/users/${user_id}`)
        expect(body).toMatchObject({ is_linked: false, email_unconfirmed_since: expect.any(String) })
      }
    }
  })
})

describe('an account with a password', () => {
  test('is linked after its password was given once, and signed in without it from then on', async () => {
    const { email } = await addUser(sso.server, { email: `${newName()}@example.com` })
    const person = addPerson(newName(), { email })
    const { cookie, text, visitor } = await sso.logIn(person, { query: '?return_to=/account' })

    expect(cookie).toBe('')
    expect(text).toContain('url=/login/link')
    const waiting = await visitor.visit(`${sso.server.url}/api/auth/sso/link`)
    expect(await waiting.json()).toEqual({ email, label: 'Example ID', return_to: '/account' })
    const wrong = await confirm(visitor, 'a wrong guess')
    expect(wrong).toMatchObject({ status: 401, body: { attempts_remaining: 4 } })
    expect((await confirm(visitor, ADMIN.password, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const right = await confirm(visitor, ADMIN.password)
    expect(right).toEqual({
      status: 200,
      body: { continue_at: '/api/auth/sso/start?return_to=%2Faccount' },
    })

    const next = await sso.logIn(person, { visitor })
    expect(await statusOf(next.cookie)).toBe(200)
  })

  test('is locked after five wrong passwords for the link', async () => {
    const { email } = await addUser(sso.server, { email: `${newName()}@example.com` })
    const { visitor } = await sso.logIn(addPerson(newName(), { email }))

    const statuses = []
    for (let guess = 0; guess < 6; guess += 1)
      statuses.push((await confirm(visitor, `guess ${guess}`)).status)

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    const entries = await eventually(async () => {
      const path = `/api/audit?action=auth.&actor=${encodeURIComponent(email)}`
      const { body } = await sso.server.call({ path })
      const failed = body.filter(({ action }: Audited) => action !== 'auth.login')
      return failed.length === 3 && failed
    })
    expect(entries.map(({ action, metadata }: Audited) => `${action} ${metadata.reason}`).sort()).toEqual([
      'auth.locked too_many_failures',
      'auth.login_failed limited',
      'auth.login_failed wrong',
    ])
  })

  test('with a second factor is not linked by its password alone', async () => {
    const { email, id } = await addUser(sso.server, { email: `${newName()}@example.com` })
    const now = new Date().toISOString()
    const { db } = sso.server.database
    await db
      .insertInto('totp_secrets')
      .values({ user_id: id, secret: 'sealed', created_at: now, confirmed_at: now })
      .execute()
    const person = addPerson(newName(), { email })
    const { visitor } = await sso.logIn(person)

    const { body, status } = await confirm(visitor, ADMIN.password)

    expect(status).toBe(409)
    expect(body.error).toContain('This account has a second factor')
    expect((await sso.logIn(person, { visitor })).cookie).toBe('')
  })

  test('is linked from its own page, and only with a person who has its verified e-mail address', async () => {
    const { cookie, email } = await addUser(sso.server, { email: `${newName()}@example.com` })
    const link = async (change: object, session = cookie) => {
      const visitor = createVisitor({ [sso.server.url]: session })
      const callback = await visitor.logInAtProvider(
        `${sso.server.url}/api/auth/sso/start?purpose=link&return_to=/account`,
        addPerson(newName(), change),
      )
      const { failure, headers } = await finish(visitor, callback)
      return failure ?? headers.get('location')
    }

    expect(await link({ email: 'other@example.com' })).toBe('other_email')
    expect(await link({ email, email_verified: false })).toBe('email_unverified')
    expect(await link({ email })).toBeNull()
    expect(await link({ email })).toBe('other_account')
    const own = await sso.server.call({ path: '/api/auth/me/identity', as: { cookie } })
    expect(own.body).toMatchObject({ label: 'Example ID', is_linked: true, email, has_password: true })

    await sso.server.call({ path: '/api/auth/me/identity', method: 'DELETE', as: { cookie } })
    expect(await link({ email })).toBeNull()
  })

  test('is unlinked by an admin, which ends its sessions', async () => {
    const group = newName()
    await mapGroup(group, 'viewer')
    const { cookie } = await sso.logIn(addPerson(newName(), { groups: [group] }))
    const me = () => sso.server.call({ path: '/api/auth/me', as: { cookie } })
    const { email } = (await me()).body
    const find = async () => {
      const { body } = await sso.server.call({ path: '/api/users' })
      return body.find((user: { email: string }) => user.email === email)
    }
    const { id, ...linked } = await find()
    expect(linked).toMatchObject({ is_linked: true, has_password: false })

    const path = `/api/users/${id}/identity`
    expect((await sso.server.call({ path, method: 'DELETE' })).status).toBe(204)

    expect((await me()).status).toBe(401)
    expect(await find()).toMatchObject({ is_linked: false })
    const { body: audit } = await sso.server.call({ path: '/api/audit?limit=5' })
    expect(audit.map(({ metadata }: { metadata: { resource: string } }) => metadata.resource)).toContain(
      `identity:${id}`,
    )
    // Without a link it has no effect.
    expect((await sso.server.call({ path, method: 'DELETE' })).status).toBe(204)
    expect((await sso.server.call({ path: '/api/users/999999/identity', method: 'DELETE' })).status).toBe(404)
  })

  test('is not linked without a session', async () => {
    const visitor = createVisitor()
    const start = `${sso.server.url}/api/auth/sso/start?purpose=link&return_to=/account`

    const response = await visitor.visit(start)

    expect(response.headers.get('location')).toBe('/account?sso_error=no_session')
  })
})

describe('the table of groups', () => {
  test('gives and takes a role at once, with an audit entry for each person', async () => {
    const group = newName()
    const first = await mapGroup(group, 'viewer')
    const person = addPerson(newName(), { groups: [group, 'x'] })
    const { cookie } = await sso.logIn(person)
    const flags = () =>
      sso.server.call({
        path: `/api/environments/${sso.server.environments.production}/flags`,
        as: { cookie },
      })
    expect((await flags()).status).toBe(200)

    const deleted = await call(`/api/workspace/sso/mappings/${first.id}`, undefined, 'DELETE')
    expect(deleted.status).toBe(204)
    expect((await flags()).status).toBe(403)
    await mapGroup('x', 'editor')
    expect((await flags()).status).toBe(200)
    const { rows } = await sso.server.database.pool.query(
      `select action, metadata->>'by' as by from audit_log where metadata->>'resource' like 'member:%'
       and coalesce(after_data, before_data)->>'email' = $1 order by id`,
      [`${person}@example.com`],
    )
    expect(rows).toEqual(['create', 'delete', 'create'].map((action) => ({ action, by: 'groups' })))
  })

  test('refuses an unknown project or role, a second row for a group, and a row that is not there', async () => {
    const add = async (row: object) => (await call('/api/workspace/sso/mappings', row)).status
    const row = { group: newName(), project_id: sso.server.project.id, role: 'viewer' }

    expect(await add({ ...row, project_id: '00000000-0000-4000-8000-000000000000' })).toBe(422)
    expect(await add({ ...row, role: 'no-such-role' })).toBe(422)
    expect(await add({ ...row, group: ' ' })).toBe(422)
    expect(await add({ ...row, group: 'x'.repeat(257) })).toBe(422)
    expect(await add(row)).toBe(200)
    expect(await add({ ...row, role: 'admin' })).toBe(409)
    expect(await add({ ...row, project_id: null })).toBe(200)
    expect(await add({ ...row, project_id: null })).toBe(409)
    expect((await call('/api/workspace/sso/mappings/999999', undefined, 'DELETE')).status).toBe(404)
  })

  test('never takes the role of the last workspace admin', async () => {
    const group = newName()
    const row = await mapGroup(group, 'admin', null)
    const { cookie } = await sso.logIn(addPerson(newName(), { groups: [group] }))
    const { body } = await call('/api/users')
    const ada = body.find(({ email }: { email: string }) => email === ADMIN.email)
    const as = { cookie }
    const demoted = await sso.server.call({
      path: `/api/users/${ada.id}`,
      method: 'PATCH',
      body: { role: 'viewer' },
      as,
    })
    expect(demoted.status).toBe(200)

    await sso.server.call({ path: `/api/workspace/sso/mappings/${row.id}`, method: 'DELETE', as })
    const me = await sso.server.call({ path: '/api/auth/me', as })
    expect(me.body.role).toBe('admin')
    await sso.server.call({ path: `/api/users/${ada.id}`, method: 'PATCH', body: { role: 'admin' }, as })
  })
})

describe('a confirmation with the identity provider', () => {
  const confirmAs = async (session: string, person: string) => {
    const visitor = createVisitor({ [sso.server.url]: session })
    const start = `${sso.server.url}/api/auth/sso/start?purpose=reauthenticate&return_to=/account`
    return finish(visitor, await visitor.logInAtProvider(start, person))
  }
  const ageSessions = () =>
    sso.server.database.db.updateTable('sessions').set({ authenticated_at: '2026-01-01T00:00:00Z' }).execute()
  const tokenWith = (cookie: string) =>
    sso.server.call({ path: '/api/tokens', body: { name: newName(), scope: 'read_only' }, as: { cookie } })

  test('lets a session do what needs a recent login', async () => {
    const group = newName()
    await mapGroup(group, 'viewer')
    const person = addPerson(newName(), { groups: [group] })
    const { cookie } = await sso.logIn(person)
    await ageSessions()
    expect((await tokenWith(cookie)).body.reason).toBe('reauthentication_required')

    const confirmed = await confirmAs(cookie, person)

    expect(confirmed.failure).toBeNull()
    expect((await tokenWith(confirmed.cookie)).status).toBe(200)
  })

  test('of another person, or one that the provider dates before it began, is refused', async () => {
    const group = newName()
    await mapGroup(group, 'viewer')
    const person = addPerson(newName(), { groups: [group] })
    const other = addPerson(newName(), { groups: [group] })
    const { cookie } = await sso.logIn(person)
    await sso.logIn(other)

    expect((await confirmAs(cookie, other)).failure).toBe('other_account')
    for (const change of [{ auth_time: undefined }, { auth_time: Math.floor(Date.now() / 1_000) - 600 }]) {
      sso.provider.lies.idToken = (claims) => ({ ...claims, ...change })
      const { failure } = await confirmAs(cookie, person)
      sso.provider.lies.idToken = undefined
      expect(failure).toBe('reauthentication_unconfirmed')
    }
  })
})

describe('a logout', () => {
  async function signIn() {
    const group = newName()
    await mapGroup(group, 'viewer')
    const person = addPerson(newName(), { groups: [group] })
    return { person, ...(await sso.logIn(person)) }
  }

  /** Sends a logout token as the provider would. */
  async function announce(change: object = {}, { on = sso.server.url, person = 'nobody' } = {}) {
    const now = Math.floor(Date.now() / 1_000)
    const token = await sso.provider.sign({
      iss: sso.provider.issuer,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 120,
      jti: newName(),
      sub: person,
      events: { [LOGOUT_EVENT]: {} },
      ...change,
    })
    const response = await fetch(`${on}/api/auth/sso/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })
    return { status: response.status, text: await response.text() }
  }

  test('ends the session here and names the address that ends it at the provider', async () => {
    const { cookie } = await signIn()

    const { body, headers, status } = await sso.server.call({
      path: '/api/auth/sso/logout',
      method: 'POST',
      as: { cookie },
    })

    expect(status).toBe(200)
    const url = new URL(body.url)
    expect(url.origin).toBe(sso.provider.issuer)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${sso.server.url}/login`)
    expect(url.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    expect(headers.get('set-cookie')).toContain('lg_session=; Max-Age=0')
    expect(await statusOf(cookie)).toBe(401)
  })

  test('of a session with a password has no address at the provider', async () => {
    const { cookie } = await addUser(sso.server, { email: `${newName()}@example.com` })

    const { body } = await sso.server.call({ path: '/api/auth/sso/logout', method: 'POST', as: { cookie } })

    expect(body).toEqual({ url: null })
  })

  test('at the provider ends the sessions and streams of the person on every instance', async () => {
    const { cookie, person } = await signIn()
    const other = await signIn()
    const stream = await readStream(`${second.url}/stream`, { cookie })

    expect(await announce({}, { person })).toEqual({ status: 200, text: '' })

    await eventually(async () => (await statusOf(cookie, second)) === 401)
    await eventually(() => stream.ended())
    expect(await statusOf(other.cookie)).toBe(200)
  })

  test('token is refused unless the provider signed it for this server, for a logout, just now', async () => {
    const { cookie, person } = await signIn()
    const now = Math.floor(Date.now() / 1_000)
    const wrong: readonly object[] = [
      { aud: 'another-app' },
      { iss: 'https://id.attacker.example' },
      { nonce: 'n' },
      { events: {} },
      { events: { [LOGOUT_EVENT]: 'x' } },
      { events: null },
      { iat: now - 3_600 },
      { iat: now + 3_600 },
      { iat: undefined },
      { exp: now - 3_600 },
      { exp: 'soon' },
      { jti: undefined },
      { jti: 'x'.repeat(300) },
      { sub: undefined },
      { sub: 7 },
    ]
    for (const change of wrong) {
      const { status } = await announce(change, { person })
      expect(status, JSON.stringify(change)).toBe(400)
    }
    sso.provider.lies.isForged = true
    expect((await announce({}, { person })).status).toBe(400)
    sso.provider.lies.isForged = false
    for (const token of ['', 'a.b.c', 'x'.repeat(5_000)]) {
      const { status } = await sso.server.call({
        path: '/api/auth/sso/backchannel-logout',
        body: { logout_token: token },
        as: 'anonymous',
      })
      expect(status, token.slice(0, 10)).toBe(400)
    }
    expect(await statusOf(cookie)).toBe(200)
  })

  test('token can be used once', async () => {
    const jti = newName()

    expect((await announce({ jti })).status).toBe(200)
    expect((await announce({ jti }, { on: second.url })).status).toBe(400)
  })

  test('with a session of the provider ends that session only', async () => {
    const group = newName()
    await mapGroup(group, 'viewer')
    const person = addPerson(newName(), { groups: [group] })
    const one = await sso.logIn(person)
    const other = await sso.logIn(person)
    const { db } = sso.server.database
    const rows = await db
      .selectFrom('provider_sessions')
      .select('sid')
      .where('subject', '=', person)
      .execute()
    const [sid] = rows.map((row) => row.sid)

    expect((await announce({ sub: undefined, sid })).status).toBe(200)
    const statuses = [await statusOf(one.cookie), await statusOf(other.cookie)]
    expect(statuses.sort()).toEqual([200, 401])
  })
})

test('with PASSWORD_LOGIN=off a password is refused until the operator allows it', async () => {
  const env = { ...ssoSettings(sso.provider.issuer, 'http://localhost:1'), PASSWORD_LOGIN: 'off' }
  const server = await startTestServer({ env })
  const { email, id } = await insertUser(server, { email: `${newName()}@example.com` })
  const logIn = () =>
    server.call({ path: '/api/auth/login', body: { email, password: ADMIN.password }, as: 'anonymous' })

  expect((await logIn()).status).toBe(403)
  expect((await logIn()).body.error).toContain('Passwords are switched off')
  expect((await server.call({ path: '/api/auth/sso' })).body.password_login).toBe(false)
  expect((await server.call({ path: '/api/auth/me' })).status).toBe(200)
  const allow = (allowed_until: string) =>
    server.database.db
      .insertInto('password_exceptions')
      .values({ user_id: id, allowed_until })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ allowed_until }))
      .execute()
  await allow(new Date(Date.now() + 60_000).toISOString())
  expect(cookieOf((await logIn()).headers)).not.toBe('')
  await allow(new Date(Date.now() - 1).toISOString())
  expect((await logIn()).status).toBe(403)
  await server.close()
})
