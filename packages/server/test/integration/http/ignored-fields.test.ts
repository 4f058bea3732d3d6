import { type Endpoint, endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let project: string
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  project = `/api/projects/${server.project.id}`
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

const call = async (method: string, path: string, body: object) => {
  const answer = await server.call({ method, path, body })
  expect(answer.status).toBe(200)
  return answer.body
}
const pathsOf = ({ warnings = [] }: { warnings?: { code: string; path: string }[] }) =>
  warnings.filter(({ code }) => code === 'field_ignored').map(({ path }) => path)

const newUser = () =>
  call('POST', '/api/users', {
    name: 'Mia',
    email: `mia-${Math.random()}@example.com`,
    role: 'viewer',
    password: 'a long password',
  })
const newExperiment = (more: object = {}) =>
  call('POST', `${environment}/experiments`, {
    name: 'Sales',
    key: `sales-${String(Math.random()).slice(2)}`,
    flag_key: 'button',
    goal_event_key: 'bought',
    ...more,
  })

describe('a field that a write does not take is answered with field_ignored', () => {
  it('the e-mail of a user', async () => {
    const user = await newUser()
    const changed = await call('PATCH', `/api/users/${user.id}`, { name: 'Max', email: 'max@example.com' })
    expect(changed).toMatchObject({ name: 'Max', email: user.email })
    expect(changed.warnings).toEqual([
      { code: 'field_ignored', path: '/email', message: '"email" cannot be set here; it was ignored.' },
    ])
  })

  it('the slug and the switches of an environment', async () => {
    const path = `${project}/environments/${server.environments.staging}`
    const body = { slug: 'other', is_default: true, require_approval: true, approval_scope: 'all' }
    const changed = await call('PATCH', path, body)
    expect(changed).toMatchObject({ slug: 'staging', is_default: false, require_approval: false })
    expect(pathsOf(changed)).toEqual(['/slug', '/is_default', '/require_approval', '/approval_scope'])
  })

  it('the key and the flag of an experiment, and the status of a new one', async () => {
    const created = await newExperiment({ status: 'paused' })
    expect(created.status).toBe('running')
    expect(pathsOf(created)).toEqual(['/status'])
    const path = `${environment}/experiments/${created.key}`
    const changed = await call('PATCH', path, { flag_key: 'other', key: 'other' })
    expect(changed).toMatchObject({ flag_key: 'button', key: created.key })
    expect(pathsOf(changed)).toEqual(['/key', '/flag_key'])
  })

  it('archived_at in a POST of a flag, beside the other warnings', async () => {
    const flag = { key: 'archived', is_enabled: true, archived_at: '2030-01-01T00:00:00Z', enabled: true }
    const { archived_at, warnings } = await call('POST', `${environment}/flags`, flag)
    expect(archived_at).toBeNull()
    expect(warnings).toMatchObject([
      { code: 'unknown_field', path: '/enabled' },
      { code: 'field_ignored', path: '/archived_at' },
    ])
  })

  it('the slug of a project and the kind of a chat integration', async () => {
    expect(pathsOf(await call('PATCH', project, { name: 'Shop', slug: 'other' }))).toEqual(['/slug'])
    const chat = await call('POST', `${environment}/integrations`, {
      kind: 'slack',
      name: 'Chat',
      webhook_url: 'http://127.0.0.1:9/a-secret-address',
    })
    const path = `${environment}/integrations/${chat.id}`
    expect(pathsOf(await call('PATCH', path, { kind: 'teams' }))).toEqual(['/kind'])
  })

  it('but not where it has the stored value, or is null: a client may send back what it has read', async () => {
    const user = await newUser()
    expect(pathsOf(await call('PATCH', `/api/users/${user.id}`, user))).toEqual([])
    const experiment = await newExperiment()
    expect(pathsOf(await call('PATCH', `${environment}/experiments/${experiment.key}`, experiment))).toEqual(
      [],
    )
    const { body: stored } = await server.call({ path: `${project}/environments` })
    for (const one of stored) {
      expect(pathsOf(await call('PATCH', `${project}/environments/${one.id}`, one))).toEqual([])
    }
    const flag = { key: 'plain', is_enabled: true, archived_at: null }
    expect(await call('POST', `${environment}/flags`, flag)).not.toHaveProperty('warnings')
  })

  it('beside more warnings than a response lists: the last one counts all that are not listed', async () => {
    const rules = Array.from({ length: 60 }, (_, at) => ({ segment_key: `nowhere-${at}` }))
    const flag = { key: 'many', is_enabled: true, rules, archived_at: '2030-01-01T00:00:00Z' }
    const { warnings } = await call('POST', `${environment}/flags`, flag)
    expect(warnings).toHaveLength(50)
    expect(warnings.at(-1)).toMatchObject({ code: 'more_warnings' })
    expect(warnings.at(-1).message).toContain('12 more')
  })

  it('but not beside a change request, when it is the stored value of the flag', async () => {
    const staging = `/api/environments/${server.environments.staging}`
    await call('POST', `${staging}/flags`, { key: 'waiting', is_enabled: true })
    const { archived_at } = await call('POST', `${staging}/flags/waiting/archive`, {})
    const guard = `${project}/environments/${server.environments.staging}/require-approval`
    await call('POST', guard, { require_approval: true, approval_scope: 'all' })
    const write = (more: object) =>
      server.call({ path: `${staging}/flags`, body: { key: 'waiting', is_enabled: true, ...more } })
    const same = await write({ description: 'Same', archived_at })
    expect(same.status).toBe(202)
    expect(pathsOf(same.body)).toEqual([])
    const other = await write({ description: 'Other', archived_at: '2030-01-01T00:00:00Z' })
    expect(other.status).toBe(202)
    expect(pathsOf(other.body)).toEqual(['/archived_at'])
  })
})

describe('what the contract says of ignored fields', () => {
  const ignoring = Object.entries<Endpoint>(endpoints).filter(([, { ignores }]) => ignores)

  it.each(ignoring)('%s can answer with warnings', (_name, { responses }) => {
    expect(JSON.stringify(responses[200])).toContain('field_ignored')
  })
})
