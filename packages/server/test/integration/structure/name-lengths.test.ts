import { endpoints, NAME_MAX_LENGTH } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let count = 0
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Creates a unique name of so many characters. */
function nameOf(length: number, character: string): string {
  count += 1
  const mark = `${count}`
  return character.repeat(length - mark.length) + mark
}
const project = () => `/api/projects/${server.project.id}`
const production = () => server.environments.production

const NAMED: readonly (readonly [string, (name: string) => Promise<{ status: number }>])[] = [
  ['a project', (name) => server.call({ path: '/api/projects', body: { name } })],
  [
    'the workspace',
    (workspace_name) => server.call({ method: 'PATCH', path: '/api/workspace', body: { workspace_name } }),
  ],
  [
    'a user',
    (name) =>
      server.call({
        path: '/api/users',
        body: { name, email: `${count}@example.com`, password: 'long enough for all', role: 'viewer' },
      }),
  ],
  [
    'a user who is renamed',
    async (name) => {
      const { id } = await addUser(server, { email: `renamed-${count}@example.com` })
      return server.call({ method: 'PATCH', path: `/api/users/${id}`, body: { name } })
    },
  ],
  ['a token', (name) => server.call({ path: '/api/tokens', body: { name, scope: 'read_only' } })],
  [
    'an SDK key',
    (name) => server.call({ path: `${project()}/keys`, body: { name, environment_id: production() } }),
  ],
  [
    'a segment',
    (name) =>
      server.call({
        path: `/api/environments/${production()}/segments`,
        body: { name, key: `key-${count}` },
      }),
  ],
]

describe('the length of names', () => {
  it.each(NAMED)('the name of %s has at most 1,000 characters', async (_, write) => {
    // The second one has two code units: characters count.
    for (const character of ['n', '\u{1f6a9}']) {
      expect((await write(nameOf(NAME_MAX_LENGTH + 1, character))).status).toBe(422)
      expect((await write(nameOf(NAME_MAX_LENGTH, character))).status).toBeLessThan(300)
    }
  })
})

describe('names in bodies', () => {
  const bodies = Object.entries(endpoints).flatMap(([endpoint, { ...definition }]) => {
    const body: unknown = 'body' in definition ? definition.body : undefined
    return findNames(body).map((schema) => ({ endpoint, schema }))
  })

  it('every name in a body is bounded', () => {
    expect(bodies.length).toBeGreaterThan(10)
    for (const { endpoint, schema } of bodies) {
      expect(schema.maxLength, `${endpoint}: ${JSON.stringify(schema)}`).toBeLessThanOrEqual(NAME_MAX_LENGTH)
    }
  })
})

/** Returns the schemas of fields called `name`, or `<something>_name`, at any depth. */
function findNames(schema: unknown): { maxLength?: number }[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([field, below]) => {
    const isName = /(^|_)name$/.test(field) && typeof below === 'object' && 'type' in below
    return isName ? [below] : findNames(below)
  })
}
