import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../harness/start-test-server.ts'
import { GROUP, type Provider, startProvider, USER } from '../../../scim/provider.ts'

let server: TestServer
let okta: Provider

beforeAll(async () => {
  server = await startTestServer()
  okta = await startProvider(server)
})
afterAll(() => server.close())

const user = (email: string, more: object = {}) => ({
  schemas: [USER],
  userName: email,
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: `okta-${email}`,
  groups: [],
  password: '1mz050nq',
  active: true,
  ...more,
})

describe('the requests of Okta for users', () => {
  let id: string

  test('a user is looked for, created and read; the password is not stored', async () => {
    const path = `/Users?filter=${encodeURIComponent('userName eq "test.user@example.com"')}&startIndex=1&count=100`
    expect((await okta.send('GET', path)).body).toMatchObject({
      totalResults: 0,
      startIndex: 1,
      Resources: [],
    })
    const created = await okta.send('POST', '/Users', user('test.user@example.com'))
    expect(created.status).toBe(201)
    id = created.body.id
    expect(created.body).toMatchObject({
      userName: 'test.user@example.com',
      active: true,
      displayName: 'Test User',
    })
    expect(JSON.stringify(created.body)).not.toContain('1mz050nq')
    expect((await okta.send('GET', `/Users/${id}`)).body).toEqual(created.body)
    const login = { email: 'test.user@example.com', password: '1mz050nq' }
    expect((await server.call({ path: '/api/auth/login', body: login, as: 'anonymous' })).status).toBe(401)
  })

  test('users are read in pages', async () => {
    for (const name of ['p1', 'p2', 'p3']) await okta.newUser(`${name}@example.com`)
    const first = await okta.send('GET', '/Users?startIndex=1&count=2')
    expect(first.body).toMatchObject({ totalResults: 4, startIndex: 1, itemsPerPage: 2 })
    const second = await okta.send('GET', '/Users?startIndex=3&count=2')
    expect(second.body).toMatchObject({ totalResults: 4, startIndex: 3, itemsPerPage: 2 })
    const ids = [...first.body.Resources, ...second.body.Resources].map((one: { id: string }) => one.id)
    expect(new Set(ids).size).toBe(4)
    expect((await okta.send('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 4, Resources: [] })
    expect((await okta.send('GET', '/Users?startIndex=99')).body).toMatchObject({
      totalResults: 4,
      Resources: [],
    })
  })

  test('a user is replaced whole, and the account has the new name and address', async () => {
    const renamed = user('another.user@example.com', {
      id,
      displayName: 'Another User',
      externalId: 'okta-1',
    })
    const answer = await okta.send('PUT', `/Users/${id}`, renamed)
    expect(answer.body).toMatchObject({ id, userName: 'another.user@example.com', externalId: 'okta-1' })
    const account = await server.call({ path: `/api/users/${id}` })
    expect(account.body).toMatchObject({ email: 'another.user@example.com', name: 'Another User' })
    const taken = await okta.send('PUT', `/Users/${id}`, {
      ...renamed,
      emails: [{ value: 'p1@example.com' }],
    })
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness'])
  })

  test('the same PUT again stores nothing', async () => {
    const body = user('another.user@example.com', { id, displayName: 'Another User', externalId: 'okta-1' })
    const before = await okta.send('GET', `/Users/${id}`)
    expect((await okta.send('PUT', `/Users/${id}`, body)).body).toEqual(before.body)
  })

  test('a user is deactivated with a PATCH without a path, and activated with a PUT', async () => {
    const off = await okta.patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }])
    expect([off.status, off.body.active]).toEqual([200, false])
    const on = await okta.send('PUT', `/Users/${id}`, user('another.user@example.com', { active: true }))
    expect([on.status, on.body.active]).toEqual([200, true])
    expect((await server.call({ path: `/api/users/${id}` })).body.disabled_at).toBeNull()
  })

  test('an account that an admin has disabled stays disabled', async () => {
    await server.call({ method: 'POST', path: `/api/users/${id}/disable` })
    const put = await okta.send('PUT', `/Users/${id}`, user('another.user@example.com'))
    expect([put.status, put.body.active]).toEqual([200, false])
    await okta.patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }])
    const on = await okta.patch(`/Users/${id}`, [{ op: 'replace', value: { active: true } }])
    expect(on.body.active).toBe(false)
    await server.call({ method: 'POST', path: `/api/users/${id}/enable` })
    expect((await okta.send('GET', `/Users/${id}`)).body.active).toBe(true)
  })
})

describe('the group push of Okta', () => {
  test('creates, renames, replaces, adds, removes and deletes', async () => {
    const one = await okta.newUser('push-1@example.com')
    const other = await okta.newUser('push-2@example.com')
    const created = await okta.send('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Test SCIMv2',
      members: [],
    })
    expect(created.status).toBe(201)
    const { id } = created.body
    const path = `/Groups/${id}`
    const rename = { op: 'replace', value: { id, displayName: 'Test SCIMv2 renamed' } }
    expect((await okta.patch(path, [rename])).status).toBe(204)
    expect(
      (await okta.patch(path, [{ op: 'add', path: 'members', value: [{ value: one, display: 'x' }] }]))
        .status,
    ).toBe(204)
    const members = async () =>
      (await okta.send('GET', path)).body.members.map(({ value }: { value: string }) => value)
    expect(await members()).toEqual([one])
    const both = { op: 'replace', path: 'members', value: [{ value: one }, { value: other }] }
    const swap = [
      { op: 'remove', path: `members[value eq "${one}"]` },
      both,
      { op: 'remove', path: `members[value eq "${one}"]` },
    ]
    expect((await okta.patch(path, swap)).status).toBe(204)
    expect(await members()).toEqual([other])
    const put = await okta.send('PUT', path, {
      schemas: [GROUP],
      id,
      displayName: 'By PUT',
      members: [{ value: one }],
    })
    expect(put.body).toMatchObject({
      id,
      displayName: 'By PUT',
      members: [{ value: one, display: 'push-1@example.com' }],
    })
    expect((await okta.send('GET', '/Groups?startIndex=1&count=100')).body).toMatchObject({ totalResults: 1 })
    expect((await okta.patch(path, [{ op: 'remove', path: 'members' }])).status).toBe(204)
    expect(await members()).toEqual([])
    expect((await okta.send('DELETE', path)).status).toBe(204)
  })
})
