import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../../harness/start-test-server.ts'
import { startProvider } from '../../../scim/provider.ts'

let first: TestServer
let second: TestServer

beforeAll(async () => {
  first = await startTestServer({ env: { PUBLIC_URL: 'https://flags.example.com' } })
  second = await startTestServer({ database: first.database })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const users = (server: TestServer, bearer: string) => server.call({ path: '/scim/v2/Users', as: { bearer } })

describe('the token of SCIM', () => {
  test('without one there is no SCIM, in the form of its errors', async () => {
    const answer = await users(first, 'scim_nothing')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/scim+json; charset=utf-8',
    ])
    expect(answer.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '404',
      detail: 'SCIM is off. A workspace admin creates its token in the dashboard.',
    })
    expect((await first.call({ path: '/api/workspace/scim' })).body).toMatchObject({
      token_prefix: null,
      users: 0,
    })
  })

  test('it is shown once, and accepted by SCIM only', async () => {
    const { token } = await startProvider(first)
    const shown = await first.call({ path: '/api/workspace/scim' })
    expect(shown.body).toMatchObject({
      url: 'https://flags.example.com/scim/v2',
      token_prefix: `${token.slice(0, 9)}…`,
      token_created_by: 'ada@example.com',
      adopts_accounts: false,
    })
    expect(JSON.stringify(shown.body)).not.toContain(token)
    for (const on of [first, second]) await eventually(async () => (await users(on, token)).status === 200)
    for (const path of ['/api/projects', '/api/users', '/api/workspace/scim', '/flags/snapshot', '/stream'])
      expect([path, (await first.call({ path, as: { bearer: token } })).status]).toEqual([path, 401])
    const later = await first.call({ path: '/api/workspace/scim' })
    expect(later.body.last_request_at).toEqual(expect.any(String))
  })

  test('no other credential is accepted by SCIM', async () => {
    await startProvider(first)
    const pat = await first.call({ path: '/api/tokens', body: { name: 'script', scope: 'read_write' } })
    for (const as of ['anonymous', 'admin', { bearer: first.sdkKey }, { bearer: pat.body.token }] as const) {
      const answer = await first.call({ path: '/scim/v2/Users', as })
      expect([answer.status, answer.body.status]).toEqual([401, '401'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(
        (await first.call({ method, path: '/scim/v2/Users/1', as: { bearer: first.sdkKey } })).status,
      ).toBe(401)
  })

  test('a new token replaces the old one, and a removed one is refused, on both instances', async () => {
    const before = await startProvider(first)
    const after = await startProvider(first)
    for (const on of [first, second]) {
      await eventually(async () => (await users(on, before.token)).status === 401)
      await eventually(async () => (await users(on, after.token)).status === 200)
    }
    expect((await first.call({ method: 'DELETE', path: '/api/workspace/scim/token' })).status).toBe(204)
    for (const on of [first, second])
      await eventually(async () => (await users(on, after.token)).status === 404)
    expect((await first.call({ method: 'DELETE', path: '/api/workspace/scim/token' })).status).toBe(204)
  })

  test('guesses are limited', async () => {
    await startProvider(first)
    const guess = async () => (await users(first, `scim_${'A'.repeat(43)}`)).status
    await eventually(async () => (await guess()) === 429)
    await startProvider(first)
  })
})
