import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser } from '../../../harness/add-user.ts'
import { eventually } from '../../../harness/eventually.ts'
import { isWaitingForALock } from '../../../harness/is-waiting-for-a-lock.ts'
import { CLIENT_ID } from '../../../single-sign-on/start-identity-provider.ts'
import { finish, type SsoServer, startSsoServer } from '../../../single-sign-on/start-sso-server.ts'
import { createVisitor } from '../../../single-sign-on/visitor.ts'

const CONNECTIONS = 3

let sso: SsoServer
let serial = 0

beforeAll(async () => {
  sso = await startSsoServer({ env: { DB_MAX_CONNECTIONS: String(CONNECTIONS) } })
  const row = { group: 'all', project_id: sso.server.project.id, role: 'viewer' }
  await sso.server.call({ path: '/api/workspace/sso/mappings', body: row })
})
afterAll(() => sso.close())

const newName = (): string => {
  serial += 1
  return `visitor-${serial}`
}

function addPerson(change: object = {}): string {
  const id = newName()
  const email = `${id}@example.com`
  sso.provider.people.set(id, { email, email_verified: true, name: id, groups: ['all'], ...change })
  return id
}

const start = (purpose: 'link' | 'reauthenticate') =>
  `${sso.server.url}/api/auth/sso/start?purpose=${purpose}&return_to=/account`
const statusOf = async (cookie: string) =>
  (await sso.server.call({ path: '/api/auth/me', as: { cookie } })).status
const sessionOf = async (cookie: string) => {
  const { body } = await sso.server.call({ path: '/api/auth/sessions', as: { cookie } })
  return body.find(({ is_current }: { is_current: boolean }) => is_current)
}

/** Signs a logout token of a person as the provider. */
function logoutToken(person: string): Promise<string> {
  const now = Math.floor(Date.now() / 1_000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = { iss: sso.provider.issuer, aud: CLIENT_ID, iat: now, exp: now + 120, jti: newName() }
  return sso.provider.sign({ ...claims, sub: person, events })
}

/** Creates a user with a password, linked with a person at the provider. */
async function addLinked() {
  const user = await addUser(sso.server, { email: `${newName()}@example.com` })
  const person = addPerson({ email: user.email })
  const visitor = createVisitor({ [sso.server.url]: user.cookie })
  const { failure } = await finish(visitor, await visitor.logInAtProvider(start('link'), person))
  expect(failure).toBeNull()
  return { ...user, person }
}

async function confirm(session: string, person: string) {
  const visitor = createVisitor({ [sso.server.url]: session })
  return finish(visitor, await visitor.logInAtProvider(start('reauthenticate'), person))
}

describe('a session that began with a password and was confirmed at the provider', () => {
  test('stays one with a password, so that the rule for second factors applies to it', async () => {
    const { cookie, person } = await addLinked()
    const confirmed = await confirm(cookie, person)
    expect(await sessionOf(confirmed.cookie)).toMatchObject({ method: 'password' })

    const path = '/api/workspace'
    const rule = { second_factor: 'required', second_factor_grace_days: 0 }
    expect((await sso.server.call({ method: 'PATCH', path, body: rule })).status).toBe(200)
    const projects = await sso.server.call({ path: '/api/projects', as: { cookie: confirmed.cookie } })
    const optional = { second_factor: 'optional' } as const
    await sso.server.database.db.updateTable('workspace').set(optional).execute()

    expect(projects).toMatchObject({ status: 403, body: { reason: 'second_factor_enrolment_required' } })
  })

  test('ends with a logout at the provider', async () => {
    const { cookie, person } = await addLinked()
    const confirmed = await confirm(cookie, person)

    const response = await fetch(`${sso.server.url}/api/auth/sso/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: await logoutToken(person) }),
    })

    expect(response.status).toBe(200)
    expect(await statusOf(confirmed.cookie)).toBe(401)
    expect(await statusOf(cookie)).toBe(401)
  })
})

test('wrong logout tokens of a network do not hold up a valid one', async () => {
  const person = addPerson()
  const { cookie } = await sso.logIn(person)
  const send = (logout_token: string) =>
    fetch(`${sso.server.url}/api/auth/sso/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token }),
    }).then(({ status }) => status)
  const statuses = new Set<number>()
  for (let sent = 0; sent < 700; sent += 1) statuses.add(await send('a.b.c'))

  expect([...statuses]).toEqual([400, 429])
  expect(await send(await logoutToken(person))).toBe(200)
  expect(await statusOf(cookie)).toBe(401)
  expect((await sso.logIn(person)).failure).toBeNull()
})

test('a login that the provider does not date is not recent', async () => {
  sso.provider.lies.idToken = ({ auth_time: _, ...claims }) => claims
  const { cookie } = await sso.logIn(addPerson())
  sso.provider.lies.idToken = undefined

  const body = { name: 'Laptop', scope: 'read_only' }
  const refused = await sso.server.call({ path: '/api/tokens', body, as: { cookie } })

  expect(refused).toMatchObject({ status: 403, body: { reason: 'reauthentication_required' } })
  expect(await statusOf(cookie)).toBe(200)
})

describe('two addresses that only the database takes for one', () => {
  /** The Kelvin sign, which becomes a k in lower case. */
  const KELVIN = '\u212a'

  test('do not meet in a login', async () => {
    const { email, id } = await addUser(sso.server, { email: `k${newName()}@example.com` })
    const other = addPerson({ email: email.replace('k', KELVIN) })

    expect((await sso.logIn(other)).failure).toBe('other_account')
    const linked = sso.server.database.db.selectFrom('identities').select('id').where('user_id', '=', id)
    expect(await linked.execute()).toEqual([])
    const own = await sso.logIn(addPerson({ email: email.toUpperCase() }))
    expect(own.text).toContain('/login/link')
  })

  test('do not meet where an account is linked', async () => {
    const { cookie, email } = await addUser(sso.server, { email: `k${newName()}@example.com` })
    const other = addPerson({ email: email.replace('k', KELVIN) })
    const visitor = createVisitor({ [sso.server.url]: cookie })

    const { failure } = await finish(visitor, await visitor.logInAtProvider(start('link'), other))

    expect(failure).toBe('other_email')
  })
})

test('as many links at once as there are connections all succeed', async () => {
  const users = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => addUser(sso.server, { email: `${newName()}@example.com` })),
  )
  const callbacks = await Promise.all(
    users.map(async ({ cookie, email }) => {
      const visitor = createVisitor({ [sso.server.url]: cookie })
      return { visitor, url: await visitor.logInAtProvider(start('link'), addPerson({ email })) }
    }),
  )
  // Every link has its connection before any of them goes on.
  const holding = await sso.server.database.db.startTransaction().execute()
  const ids = users.map(({ id }) => id)
  await holding.selectFrom('users').select('id').where('id', 'in', ids).forUpdate().execute()
  const links = callbacks.map(({ url, visitor }) => finish(visitor, url))
  await eventually(() => isWaitingForALock(sso.server.database.pool, CONNECTIONS))
  await holding.commit().execute()

  for (const { failure, status } of await Promise.all(links)) {
    expect({ failure, status }).toEqual({ failure: null, status: 200 })
  }
})
