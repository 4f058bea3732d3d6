import { RECEIVED_GROUPS_SHOWN } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../harness/start-test-server.ts'
import { PATCH, type Provider, startProvider, USER } from '../../../scim/provider.ts'

let server: TestServer
let provider: Provider
let user: string
let group: string

beforeAll(async () => {
  server = await startTestServer()
  provider = await startProvider(server)
  user = await provider.newUser('target@example.com')
  group = await provider.newGroup('target', [user])
})
afterAll(() => server.close())

const filter = (text: string) => provider.send('GET', `/Users?filter=${encodeURIComponent(text)}`)
const kindOf = async (answer: ReturnType<Provider['send']>) => {
  const { body, status } = await answer
  return [status, body.scimType]
}
const patchUser = (...operations: object[]) => kindOf(provider.patch(`/Users/${user}`, operations))
const patchGroup = (...operations: object[]) => kindOf(provider.patch(`/Groups/${group}`, operations))

describe('hostile filters', () => {
  const deep = `${'('.repeat(400)}userName eq "x"${')'.repeat(400)}`
  const long = `userName eq "${'x'.repeat(2_000)}"`
  const many = Array.from({ length: 6 }, () => 'userName eq "x"').join(' and ')
  test.each([
    deep,
    long,
    many,
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    'userName co "a"',
    'userName pr',
    'password eq "x"',
    'userName eq "unclosed',
    'userName eq "\\ud800"',
    'userName eq "\\u0000"',
    'emails[type eq "work" and value eq "x"]',
    '__proto__ eq "x"',
    'userName eq "a" drop table users',
    '',
    'and and and',
  ])('%j is refused', async (text) => {
    expect(await kindOf(filter(text))).toEqual([400, 'invalidFilter'])
  })

  test('a quote in a value is a part of it', async () => {
    expect((await filter(`userName eq "x\\" or userName eq \\"target@example.com"`)).body.totalResults).toBe(
      0,
    )
    expect((await filter(`userName eq "' or true --"`)).body.totalResults).toBe(0)
  })

  test('odd numbers of a page are refused or bounded', async () => {
    expect(await kindOf(provider.send('GET', '/Users?count=abc'))).toEqual([400, 'invalidValue'])
    expect(await kindOf(provider.send('GET', '/Users?startIndex=1e9'))).toEqual([400, 'invalidValue'])
    for (const query of ['count=-5', 'startIndex=-5', 'startIndex=999999999999', 'count=999999999999'])
      expect((await provider.send('GET', `/Users?${query}`)).status).toBe(200)
  })
})

describe('hostile bodies', () => {
  test('what is no SCIM message is refused', async () => {
    const sent = (body: unknown) => kindOf(provider.send('POST', '/Users', body))
    expect(await sent('{"userName":')).toEqual([400, 'invalidSyntax'])
    expect(await sent('[]')).toEqual([400, 'invalidSyntax'])
    expect(await sent({ schemas: [USER] })).toEqual([400, 'invalidValue'])
    expect(await sent({ userName: 7 })).toEqual([400, 'invalidValue'])
    expect(await sent({ userName: 'no address' })).toEqual([400, 'invalidValue'])
    expect(await sent({ userName: 'x'.repeat(400) })).toEqual([400, 'invalidValue'])
    expect(await sent({ userName: 'a@example.com', active: 'maybe' })).toEqual([400, 'invalidValue'])
    expect(
      await sent({ userName: 'a@example.com', emails: Array(50).fill({ value: 'a@example.com' }) }),
    ).toEqual([400, 'invalidValue'])
    expect(await sent(`{"userName":"a@example.com","x":${'['.repeat(500)}${']'.repeat(500)}}`)).toEqual([
      400,
      'invalidSyntax',
    ])
    expect(await sent('{"userName":"a\\u0000@example.com"}')).toEqual([400, 'invalidSyntax'])
  })

  test('an address with hidden characters is refused, and a name loses them', async () => {
    const sent = (body: unknown) => provider.send('POST', '/Users', body)
    for (const userName of [
      'ro\u200bot@example.com',
      'root@exa\u202emple.com',
      'root@example．com',
      'a＠b@c.com',
    ])
      expect(await kindOf(sent({ userName })), userName).toEqual([400, 'invalidValue'])
    const displayName = 'Ro\u202eot\u{e0041}\n＠example.com'
    const created = await sent({ userName: 'hidden@example.com', displayName })
    expect(created.status).toBe(201)
    const accounts: { id: number; name: string; email: string }[] = (
      await server.call({ path: '/api/users' })
    ).body
    const account = accounts.find(({ email }) => email === 'hidden@example.com')
    expect(account?.name).toBe('Root  example.com')
    // An address that is stored already does not keep the provider from disabling its account.
    const old = 'hid\u200bden@example.com'
    await server.database.pool.query('update users set email = $1 where id = $2', [old, account?.id])
    await server.database.pool.query('update scim_users set user_name = $1 where user_id = $2', [
      old,
      account?.id,
    ])
    const path = `/Users/${created.body.id}`
    const disable = [{ op: 'replace', path: 'active', value: false }]
    expect((await provider.patch(path, disable)).status).toBeLessThan(300)
    expect((await provider.send('GET', path)).body).toMatchObject({ active: false, userName: old })
  })

  test('names of objects are attributes like any other', async () => {
    const body =
      '{"userName":"proto@example.com","name":{"__proto__":"x","constructor":"y","givenName":"Given"}}'
    const created = await provider.send('POST', '/Users', body)
    expect([created.status, created.body.name]).toEqual([201, { givenName: 'Given' }])
    expect(await patchUser({ op: 'replace', path: 'name.__proto__', value: 'x' })).toEqual([
      400,
      'invalidPath',
    ])
    expect(await patchUser({ op: 'replace', path: 'constructor', value: 'x' })).toEqual([400, 'invalidPath'])
  })

  test('too long a body is refused before it is read', async () => {
    const answer = await provider.send('POST', '/Users', { userName: 'x'.repeat(3 * 1024 * 1024) })
    expect([answer.status, answer.body.status]).toEqual([413, '413'])
  })

  test('another media type is refused', async () => {
    const headers = { 'content-type': 'text/plain' }
    const as = { bearer: provider.token }
    const answer = await server.call({ method: 'POST', path: '/scim/v2/Users', body: 'x', as, headers })
    expect([answer.status, answer.body.status]).toEqual([415, '415'])
  })
})

describe('hostile patches', () => {
  test('unknown paths and operations are refused, and nothing of the PATCH is stored', async () => {
    const rename = { op: 'replace', path: 'displayName', value: 'Half' }
    for (const path of [
      'nonsense',
      'name.nonsense',
      'emails[type eq',
      'emails[a eq "b"].c',
      'userName.x',
      '',
      '[',
    ])
      expect([path, ...(await patchUser(rename, { op: 'replace', path, value: 'x' }))]).toEqual([
        path,
        400,
        'invalidPath',
      ])
    expect(await patchUser(rename, { op: 'replace', path: 'id', value: '1' })).toEqual([400, 'mutability'])
    expect(await patchUser(rename, { op: 'copy', path: 'displayName' })).toEqual([400, 'invalidSyntax'])
    expect(await patchUser(rename, { op: 'remove' })).toEqual([400, 'noTarget'])
    expect(await patchUser(rename, { op: 'remove', path: 'userName' })).toEqual([400, 'invalidValue'])
    expect(await patchUser(rename, { op: 'add', value: 'text' })).toEqual([400, 'invalidValue'])
    expect(await kindOf(provider.send('PATCH', `/Users/${user}`, { Operations: [rename] }))).toEqual([
      400,
      'invalidSyntax',
    ])
    expect(await patchUser()).toEqual([400, 'invalidSyntax'])
    expect((await provider.send('GET', `/Users/${user}`)).body.displayName).not.toBe('Half')
  })

  test('names and operations ignore case', async () => {
    const schemas = [PATCH.toUpperCase()]
    const OPERATIONS = [{ OP: 'REPLACE', PATH: `${USER.toUpperCase()}:DISPLAYNAME`, VALUE: 'Loud' }]
    const answer = await provider.send('PATCH', `/Users/${user}`, { SCHEMAS: schemas, OPERATIONS })
    expect([answer.status, answer.body.displayName]).toEqual([200, 'Loud'])
    const created = await provider.send('POST', '/users', {
      USERNAME: 'loud@example.com',
      DisplayNAME: 'Loud',
    })
    expect([created.status, created.body.userName]).toEqual([201, 'loud@example.com'])
  })

  test('thousands of operations are refused', async () => {
    const one = { op: 'add', path: 'members', value: [{ value: user }] }
    expect(await patchGroup(...Array(1_001).fill(one))).toEqual([400, 'tooMany'])
    const fields = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`x${index}`, 1]))
    expect(await patchUser({ op: 'add', value: fields })).toEqual([400, 'tooMany'])
  })

  test('a group has at most 10,000 members', async () => {
    const value = Array.from({ length: 10_001 }, (_, index) => ({ value: String(index + 1) }))
    expect(await patchGroup({ op: 'add', path: 'members', value })).toEqual([400, 'tooMany'])
    expect(await patchGroup({ op: 'replace', path: 'members', value: value.slice(1) })).toEqual([
      400,
      'invalidValue',
    ])
  })

  test('members that cannot exist are refused, and their removal changes nothing', async () => {
    for (const value of ['0', '-1', '99999999999', '1e3', "1'; drop table users", 'x'.repeat(101)])
      expect(await patchGroup({ op: 'add', path: 'members', value: [{ value }] })).toEqual([
        400,
        'invalidValue',
      ])
    expect(await patchGroup({ op: 'add', path: 'members', value: [{}] })).toEqual([400, 'invalidValue'])
    const injected = { op: 'remove', path: 'members', value: [{ value: 'z" or value pr or value eq "q' }] }
    expect((await provider.patch(`/Groups/${group}`, [injected])).status).toBe(204)
    expect((await provider.send('GET', `/Groups/${group}`)).body.members).toHaveLength(1)
  })
})

describe('unknown addresses', () => {
  test('are refused in the form of SCIM', async () => {
    for (const path of [
      '',
      '/',
      '/Nothing',
      '/Users/1/more',
      '/Users/abc',
      '/Users/99999999999',
      '/Groups/1',
      '/Schemas/x',
    ])
      expect([path, (await provider.send('GET', path)).body.status]).toEqual([path, '404'])
    expect((await provider.send('DELETE', '/Users')).body.status).toBe('405')
    expect((await provider.send('POST', '/Schemas', {})).body.status).toBe('405')
    expect((await provider.send('GET', '/Me')).body.status).toBe('501')
    expect((await provider.send('POST', '/Bulk', {})).body.status).toBe('501')
  })

  test('the descriptions of the interface are complete', async () => {
    const config = await provider.send('GET', '/ServiceProviderConfig')
    expect(config.body).toMatchObject({
      patch: { supported: true },
      filter: { maxResults: 200 },
      bulk: { supported: false },
    })
    expect((await provider.send('GET', '/ResourceTypes')).body).toMatchObject({ totalResults: 2 })
    expect((await provider.send('GET', '/ResourceTypes/User')).body).toMatchObject({
      endpoint: '/Users',
      schema: USER,
    })
    expect((await provider.send('GET', '/Schemas')).body).toMatchObject({ totalResults: 2 })
    expect((await provider.send('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER, name: 'User' })
  })
})

test('the settings show the first 100 received groups, and count all', async () => {
  const names = Array.from({ length: RECEIVED_GROUPS_SHOWN + 5 }, (_, at) => `<b>group ${at}</b>`)
  for (const name of names) await provider.newGroup(name, [])
  const { body } = await server.call({ path: '/api/workspace/scim' })
  expect(body.received_groups).toHaveLength(RECEIVED_GROUPS_SHOWN)
  expect(body.groups).toBeGreaterThan(RECEIVED_GROUPS_SHOWN)
})
