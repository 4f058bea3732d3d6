import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../harness/start-test-server.ts'
import { ENTERPRISE, GROUP, type Provider, startProvider, USER } from '../../../scim/provider.ts'

let server: TestServer
let entra: Provider

beforeAll(async () => {
  server = await startTestServer()
  entra = await startProvider(server)
})
afterAll(() => server.close())

const created = (upn: string, externalId: string) => ({
  schemas: [USER, ENTERPRISE],
  externalId,
  userName: upn,
  active: true,
  emails: [{ primary: true, type: 'work', value: upn.replace('upn', 'mail') }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
})
const filter = (path: string, text: string) => entra.send('GET', `${path}?filter=${encodeURIComponent(text)}`)

describe('the requests of Entra ID for users', () => {
  let id: string

  test('a test of the connection asks for a user that does not exist', async () => {
    const answer = await filter('/Users', 'userName eq "af6f8d0b-4e2d-4e2b-9a0c-5a2b6f1f6f0e"')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    expect(answer.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
  })

  test('a user is created with the address of their work, and what is not stored is not returned', async () => {
    const answer = await entra.send('POST', '/Users', created('upn-1@example.com', '0a21f0f2'))
    expect(answer.status).toBe(201)
    id = answer.body.id
    expect(answer.headers.get('location')).toBe(`/scim/v2/Users/${id}`)
    expect(answer.body).toEqual({
      schemas: [USER],
      id: expect.stringMatching(/^\d+$/),
      externalId: '0a21f0f2',
      userName: 'upn-1@example.com',
      displayName: 'givenName familyName',
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      emails: [{ primary: true, type: 'work', value: 'mail-1@example.com' }],
      active: true,
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `/scim/v2/Users/${id}`,
      },
    })
    const account = await server.call({ path: `/api/users/${id}` })
    expect(account.body).toMatchObject({
      email: 'mail-1@example.com',
      name: 'givenName familyName',
      role: 'viewer',
    })
  })

  test('the same user again is a conflict', async () => {
    const answer = await entra.send('POST', '/Users', created('UPN-1@example.com', 'another'))
    expect([answer.status, answer.body.scimType]).toEqual([409, 'uniqueness'])
    expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error'])
    const sameId = await entra.send('POST', '/Users', created('upn-other@example.com', '0a21f0f2'))
    expect(sameId.body).toMatchObject({ status: '409', detail: 'Another user has this externalId.' })
  })

  test('a user is found by userName, ignoring case, and by externalId, and read by id', async () => {
    for (const text of [
      'userName eq "UPN-1@EXAMPLE.COM"',
      'externalId eq "0a21f0f2"',
      `USERNAME Eq "upn-1@example.com"`,
    ])
      expect((await filter('/Users', text)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    expect((await filter('/Users', 'externalId eq "0A21F0F2"')).body.totalResults).toBe(0)
    expect(
      (await filter('/Users', 'emails[type eq "work"].value eq "mail-1@example.com"')).body.totalResults,
    ).toBe(1)
    expect((await entra.send('GET', `/Users/${id}`)).status).toBe(200)
    expect((await entra.send('GET', '/Users/5171a35d82074e068ce2')).body).toMatchObject({ status: '404' })
  })

  test('attributes are changed with Replace and Add, by path, by filter and without a path', async () => {
    const changed = await entra.patch(`/Users/${id}`, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'renamed-1@example.com' },
      { op: 'Replace', path: 'name.familyName', value: 'Renamed' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'Somewhere 1' },
    ])
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      emails: [{ value: 'renamed-1@example.com', type: 'work', primary: true }],
      name: { familyName: 'Renamed', givenName: 'givenName' },
    })
    await entra.patch(`/Users/${id}`, [
      {
        op: 'replace',
        value: {
          displayName: 'Bjfe',
          'name.givenName': 'Kim',
          'emails[type eq "home"].value': 'h@example.com',
        },
      },
    ])
    const { body } = await entra.send('GET', `/Users/${id}`)
    expect(body).toMatchObject({ displayName: 'Bjfe', name: { givenName: 'Kim' } })
    expect(body.emails).toContainEqual({ value: 'h@example.com', type: 'home' })
    const account = await server.call({ path: `/api/users/${id}` })
    expect(account.body).toMatchObject({ email: 'renamed-1@example.com', name: 'Bjfe' })
    expect(
      (await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'userName', value: 'upn-2@example.com' }]))
        .body,
    ).toMatchObject({ userName: 'upn-2@example.com', emails: expect.arrayContaining([]) })
  })

  test('a user is disabled with the text False, and enabled again with the text True', async () => {
    const disabled = await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])
    expect([disabled.status, disabled.body.active]).toEqual([200, false])
    expect((await server.call({ path: `/api/users/${id}` })).body.disabled_at).toEqual(expect.any(String))
    const enabled = await entra.patch(`/Users/${id}`, [{ op: 'Add', value: { active: 'True' } }])
    expect([enabled.status, enabled.body.active]).toEqual([200, true])
    expect((await server.call({ path: `/api/users/${id}` })).body.disabled_at).toBeNull()
  })

  test('a deleted user is gone for SCIM, disabled here, and comes back with the same externalId', async () => {
    const deleted = await entra.send('DELETE', `/Users/${id}`)
    expect([deleted.status, deleted.body]).toEqual([204, ''])
    expect((await entra.send('GET', `/Users/${id}`)).status).toBe(404)
    expect((await entra.send('DELETE', `/Users/${id}`)).status).toBe(404)
    expect((await server.call({ path: `/api/users/${id}` })).body.disabled_at).toEqual(expect.any(String))
    const other = {
      ...created('upn-2@example.com', 'somebody-else'),
      emails: [{ value: 'renamed-1@example.com' }],
    }
    const refused = await entra.send('POST', '/Users', other)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('deleted by SCIM')])
    const again = await entra.send('POST', '/Users', { ...other, externalId: '0a21f0f2' })
    expect([again.status, again.body.id, again.body.active]).toEqual([201, id, true])
  })
})

describe('the requests of Entra ID for groups', () => {
  let id: string
  let people: string[]

  test('a group is created, found without its members, and read', async () => {
    people = [await entra.newUser('g1@example.com'), await entra.newUser('g2@example.com')]
    const answer = await entra.send('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    })
    expect([answer.status, answer.body.members]).toEqual([201, []])
    id = answer.body.id
    const path = '/Groups?excludedAttributes=members&filter='
    const found = await entra.send('GET', `${path}${encodeURIComponent('displayName eq "DISPLAYNAME"')}`)
    expect(found.body).toMatchObject({
      totalResults: 1,
      itemsPerPage: 1,
      Resources: [{ id, externalId: '8aa1a0c0' }],
    })
    expect(found.body.Resources[0]).not.toHaveProperty('members')
    const read = await entra.send('GET', `/Groups/${id}?excludedAttributes=members`)
    expect([read.status, Object.hasOwn(read.body, 'members')]).toEqual([200, false])
    const again = await entra.send('POST', '/Groups', { schemas: [GROUP], displayName: 'DisplayName' })
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness'])
  })

  test('the name is replaced; a change of a group has no body', async () => {
    const answer = await entra.patch(`/Groups/${id}`, [
      { op: 'Replace', path: 'displayName', value: 'Renamed' },
    ])
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect((await entra.send('GET', `/Groups/${id}`)).body.displayName).toBe('Renamed')
  })

  test('members are added and removed, in both of its forms', async () => {
    const [one = '', other = ''] = people
    const membersNow = async () =>
      (await entra.send('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value)
    const added = await entra.patch(`/Groups/${id}`, [
      { op: 'Add', path: 'members', value: [{ $ref: null, value: one }, { value: other }] },
    ])
    expect(added.status).toBe(204)
    expect(await membersNow()).toEqual(people)
    const isMember = encodeURIComponent(`id eq "${id}" and members eq "${one}"`)
    expect((await entra.send('GET', `/Groups?attributes=id&filter=${isMember}`)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id }],
    })
    await entra.patch(`/Groups/${id}`, [
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] },
    ])
    expect(await membersNow()).toEqual([other])
    await entra.patch(`/Groups/${id}`, [{ op: 'Remove', path: `members[value eq "${other}"]` }])
    expect(await membersNow()).toEqual([])
  })

  test('a deleted group is gone', async () => {
    expect((await entra.send('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await entra.send('GET', `/Groups/${id}`)).status).toBe(404)
  })
})
