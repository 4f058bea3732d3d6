import { applyFileSchema } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe.each([
  ['/api/openapi.json', 'application/json; charset=utf-8'],
  ['/api/docs', 'text/html; charset=utf-8'],
])('GET %s', (path, contentType) => {
  it('the API documentation accepts any credential except a client key', async () => {
    const body = { name: 'Browser', environment_id: server.environments.staging, kind: 'client' }
    const { body: key } = await server.call({ path: `/api/projects/${server.project.id}/keys`, body })

    expect((await server.call({ path, as: { bearer: key.key } })).status).toBe(403)
    for (const as of ['admin', { bearer: server.sdkKey }] as const) {
      const answer = await server.call({ path, as })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe(contentType)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('the API documentation is 401 without a credential', async () => {
    expect((await server.call({ path, as: 'anonymous' })).status).toBe(401)
  })
})

describe('the page of the API documentation', () => {
  it('the policy of the API documentation only allows its own style', async () => {
    const { headers } = await server.call({ path: '/api/docs' })
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; /,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

test('GET /api/schemas/apply.json needs no credential, because editors fetch it', async () => {
  const path = '/api/schemas/apply.json'
  const { body, headers, status } = await server.call({ path, as: 'anonymous' })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(body).toEqual(applyFileSchema())
})
