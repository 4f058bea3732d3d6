import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const at = `/api/environments/${server.environments.production}`
  const user = await server.call({
    path: '/api/users',
    body: { name: 'Mia', email: 'mia@example.com', role: 'viewer', password: 'a long password' },
  })
  const member = { user_id: user.body.id, role: 'editor' }
  await server.call({ path: `/api/projects/${server.project.id}/members`, body: member })
  const webhook = {
    name: 'Deploy',
    url: 'http://127.0.0.1:9/nobody',
    enabled: false,
    secret: 'a long secret',
  }
  server.watchSecret('a long secret')
  await server.call({ path: `${at}/webhooks`, body: webhook })
  const chat = { kind: 'slack', name: 'Chat', webhook_url: 'http://127.0.0.1:9/address-of-the-chat' }
  await server.call({ path: `${at}/integrations`, body: chat })
})
afterAll(() => server.close())

describe('one thing that is read by itself is what the list has', () => {
  const projectPath = (): string => `/api/projects/${server.project.id}`
  const environmentPath = (): string => `/api/environments/${server.environments.production}`

  it.each<[string, () => string, string]>([
    ['a project', () => '/api/projects', 'id'],
    ['a user', () => '/api/users', 'id'],
    ['a member', () => `${projectPath()}/members`, 'user_id'],
    ['an environment', () => `${projectPath()}/environments`, 'id'],
    ['an SDK key', () => `${projectPath()}/keys`, 'id'],
    ['a webhook', () => `${environmentPath()}/webhooks`, 'id'],
    ['a chat integration', () => `${environmentPath()}/integrations`, 'id'],
  ])('%s', async (_title, path, id) => {
    const at: string = path()
    const { body: items } = await server.call({ path: at })
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) {
      expect(await server.call({ path: `${at}/${item[id]}` })).toMatchObject({ status: 200, body: item })
    }
  })
})
