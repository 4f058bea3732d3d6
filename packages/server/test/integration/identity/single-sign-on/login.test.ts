import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertUser } from '../../../harness/insert-user.ts'
import { ADMIN } from '../../../harness/start-test-server.ts'
import { finish, type SsoServer, startSsoServer } from '../../../single-sign-on/start-sso-server.ts'
import { createVisitor } from '../../../single-sign-on/visitor.ts'

let sso: SsoServer

beforeAll(async () => {
  sso = await startSsoServer()
})
afterAll(() => sso.close())

let serial = 0

/** A new person at the provider, in these groups. */
function newPerson(groups: readonly string[], change: object = {}): string {
  serial += 1
  const id = `person-${serial}`
  const claims = { email: `${id}@example.com`, email_verified: true, name: `Person ${serial}`, groups }
  sso.provider.people.set(id, { ...claims, ...change })
  return id
}

const map = (group_name: string, role: string, project_id: string | null = sso.server.project.id) =>
  sso.server.database.db
    .insertInto('group_mappings')
    .values({ group_name, role, project_id, created_at: new Date().toISOString() })
    .execute()

const me = async (cookie: string) => (await sso.server.call({ path: '/api/auth/me', as: { cookie } })).body

async function membersOf(email: string): Promise<readonly string[]> {
  const { body } = await sso.server.call({ path: `/api/projects/${sso.server.project.id}/members` })
  return body.filter((one: { email: string }) => one.email === email).map((one: { role: string }) => one.role)
}

async function auditOf(email: string): Promise<readonly string[]> {
  const rows = await sso.server.database.db
    .selectFrom('audit_log')
    .where('action', 'not like', 'auth.%')
    .select(['action', 'metadata'])
    .where('actor_email', '=', email)
    .orderBy('id')
    .execute()
  return rows.map(({ action, metadata }) => `${action} ${Object(metadata).resource?.split(':')[0]}`)
}

describe('the first login of a person', () => {
  beforeEach(() => sso.server.database.db.deleteFrom('group_mappings').execute())

  test('creates an account without a password, with what the groups give', async () => {
    await map('flag-editors', 'editor')
    const person = newPerson(['flag-editors', 'others'])

    const { cookie, failure, headers, status, text } = await sso.logIn(person)

    expect({ status, failure }).toEqual({ status: 200, failure: null })
    expect(headers.get('set-cookie')).toMatch(
      /lg_session=[^;]+; Max-Age=60\d{4}; Path=\/; HttpOnly; SameSite=Strict/,
    )
    expect(text).toContain('content="0;url=/"')
    expect(await me(cookie)).toMatchObject({ email: `${person}@example.com`, role: 'viewer' })
    expect(await membersOf(`${person}@example.com`)).toEqual(['editor'])
    expect(await auditOf(`${person}@example.com`)).toEqual([
      'create user',
      'create identity',
      'create member',
    ])
  })

  test('is refused where no group gives anything', async () => {
    await map('flag-editors', 'editor')

    expect((await sso.logIn(newPerson(['others']))).failure).toBe('no_account')
  })

  test('is refused without an e-mail address, or with one that is not verified', async () => {
    await map('flag-editors', 'editor')

    const groups = ['flag-editors']
    expect((await sso.logIn(newPerson(groups, { email: undefined }))).failure).toBe('email_missing')
    for (const email_verified of [undefined, false, 'true', 1]) {
      const { failure } = await sso.logIn(newPerson(groups, { email_verified }))
      expect(failure, String(email_verified)).toBe('email_unverified')
    }
  })

  test('is refused where the provider withholds the groups', async () => {
    await map('flag-editors', 'editor')
    const _claim_names = { groups: 'src1' }

    expect((await sso.logIn(newPerson([], { groups: undefined, _claim_names }))).failure).toBe(
      'groups_missing',
    )
  })

  test('of two at the same time creates one account', async () => {
    await map('flag-editors', 'editor')
    const person = newPerson(['flag-editors'])
    const start = `${sso.server.url}/api/auth/sso/start`
    const visitors = [createVisitor(), createVisitor(), createVisitor()]
    const callbacks = await Promise.all(visitors.map((visitor) => visitor.logInAtProvider(start, person)))

    const ends = await Promise.all(visitors.map((visitor, index) => finish(visitor, callbacks[index] ?? '')))

    expect(ends.map(({ failure }) => failure)).toEqual([null, null, null])
    expect(await membersOf(`${person}@example.com`)).toEqual(['editor'])
  })
})

describe('the rights of groups', () => {
  beforeEach(() => sso.server.database.db.deleteFrom('group_mappings').execute())

  test('follow the groups at each login, and the strongest role counts', async () => {
    await map('readers', 'viewer')
    await map('flag-editors', 'editor')
    await map('owners', 'admin', null)
    const person = newPerson(['readers'])
    const email = `${person}@example.com`
    const rightsIn = async (groups: readonly string[]) => {
      sso.provider.people.set(person, { email, email_verified: true, groups })
      const { cookie, failure } = await sso.logIn(person)
      return [failure ?? (await me(cookie)).role, ...(await membersOf(email))]
    }

    expect(await rightsIn(['readers'])).toEqual(['viewer', 'viewer'])
    expect(await rightsIn(['readers', 'flag-editors'])).toEqual(['viewer', 'editor'])
    expect(await rightsIn(['owners'])).toEqual(['admin'])
    expect(await rightsIn(['flag-editors'])).toEqual(['viewer', 'editor'])
    expect(await rightsIn([])).toEqual(['no_account'])
    expect(await membersOf(email)).toEqual([])
  })

  test('take nothing away that a person gave', async () => {
    await map('readers', 'viewer')
    const person = newPerson(['readers'])
    const email = `${person}@example.com`
    await sso.logIn(person)
    const users = await sso.server.call({ path: '/api/users' })
    const { id } = users.body.find((user: { email: string }) => user.email === email)
    const path = `/api/projects/${sso.server.project.id}/members/${id}`
    await sso.server.call({ method: 'PATCH', path, body: { role: 'admin' } })

    sso.provider.people.set(person, { email, email_verified: true, groups: [] })
    expect((await sso.logIn(person)).failure).toBeNull()
    expect(await membersOf(email)).toEqual(['admin'])
  })
})

describe('a login that does not belong to the browser', () => {
  test('is refused with another state, without the cookie, and with the cookie of another login', async () => {
    const visitor = createVisitor()
    const callback = await visitor.logInAtProvider(`${sso.server.url}/api/auth/sso/start`, newPerson([]))
    const other = createVisitor()

    expect((await finish(other, callback)).failure).toBe('state_mismatch')
    await other.visit(`${sso.server.url}/api/auth/sso/start`)
    expect((await finish(other, callback)).failure).toBe('state_mismatch')
    const changed = new URL(callback)
    changed.searchParams.set('state', 'another')
    expect((await finish(visitor, changed.href)).failure).toBe('state_mismatch')
  })

  test('cannot be repeated', async () => {
    await map('flag-editors', 'editor')
    const first = await sso.logIn(newPerson(['flag-editors']))
    expect(first.failure).toBeNull()

    expect((await finish(first.visitor, first.callback)).failure).toBe('state_mismatch')
  })

  test('works once, also where its cookie was kept and the provider takes a code twice', async () => {
    const visitor = createVisitor()
    const start = `${sso.server.url}/api/auth/sso/start`
    const callback = await visitor.logInAtProvider(start, newPerson(['flag-editors']))
    const cookie = visitor.cookieFor(callback)
    const open = async () => {
      const response = await fetch(callback, { headers: { cookie }, redirect: 'manual' })
      const location = response.headers.get('location') ?? ''
      return response.status === 200 ? 'signed in' : location
    }
    const before = sso.provider.requests.filter((path) => path === '/token').length

    const outcomes = await Promise.all([open(), open(), open()])

    expect(outcomes.sort()).toEqual(['/login?sso_error=expired', '/login?sso_error=expired', 'signed in'])
    expect(await open()).toBe('/login?sso_error=expired')
    // The provider has seen the code once, so that nothing depends on its treatment of a second use.
    expect(sso.provider.requests.filter((path) => path === '/token')).toHaveLength(before + 1)
  })

  test('begins only where the person wants it: a page of another site leads to the login page', async () => {
    const start = (site: string | null, query = '') =>
      fetch(`${sso.server.url}/api/auth/sso/start${query}`, {
        headers: site === null ? {} : { 'sec-fetch-site': site },
        redirect: 'manual',
      })
    for (const site of ['cross-site', 'same-site']) {
      const { headers, status } = await start(site)
      expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([303, '/login', []])
      const next = await start(site, '?return_to=%2Faccount')
      expect(next.headers.get('location')).toBe('/login?next=%2Faccount')
    }
    for (const site of ['same-origin', 'none', null]) {
      const { headers } = await start(site)
      expect(headers.get('location')).toContain(sso.provider.issuer)
      expect(headers.getSetCookie()[0]).toMatch(/^lg_sso=./)
    }
  })

  test('is explained when consent was refused, and the cookie of the login ends', async () => {
    const { failure, headers } = await sso.logIn(newPerson([]), { decision: 'refuse' })

    expect(failure).toBe('access_denied')
    expect(headers.get('set-cookie')).toMatch(
      /^lg_sso=; Max-Age=0; Path=\/api\/auth\/sso; HttpOnly; SameSite=Lax/,
    )
  })
})

test('after the login only a path of this server is opened', async () => {
  await sso.server.database.db.deleteFrom('group_mappings').execute()
  await map('flag-editors', 'editor')
  const person = newPerson(['flag-editors'])
  const targets = {
    '/projects/1?tab=2#x': '/projects/1?tab=2#x',
    '//evil.example/flags': '/',
    '/\\evil.example': '/',
    '/\t/evil.example': '/',
    'https://evil.example': '/',
    'javascript:alert(1)': '/',
    '/..//evil.example': '/',
    '/api/auth/sso/start': '/',
    '/"><script>alert(1)</script>': '/%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
  }
  for (const [given, opened] of Object.entries(targets)) {
    const { text } = await sso.logIn(person, { query: `?return_to=${encodeURIComponent(given)}` })
    expect(text, given).toContain(`content="0;url=${opened}"`)
  }
})

test('a person with a disabled account is refused', async () => {
  await map('disabled-people', 'viewer')
  const person = newPerson(['disabled-people'])
  const { cookie } = await sso.logIn(person)
  const { db } = sso.server.database
  const disabled_at = new Date().toISOString()
  await db.updateTable('users').set({ disabled_at }).where('email', '=', `${person}@example.com`).execute()

  expect((await sso.logIn(person)).failure).toBe('account_disabled')
  expect((await sso.server.call({ path: '/api/auth/me', as: { cookie } })).status).toBe(401)
})

test('an account with a password is not taken over by a person with its e-mail address', async () => {
  const person = newPerson(['flag-editors'], { email: ADMIN.email })

  const { cookie, text } = await sso.logIn(person)

  expect(cookie).toBe('')
  expect(text).toContain('url=/login/link')
})

test('an account that was invited and never used is linked at once', async () => {
  const { email, id } = await insertUser(sso.server, {
    email: 'invited@example.com',
    memberOf: { [sso.server.project.id]: 'viewer' },
  })
  const { db } = sso.server.database
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()

  const { cookie, failure } = await sso.logIn(newPerson([], { email }))

  expect(failure).toBeNull()
  expect(await me(cookie)).toMatchObject({ email })
})
