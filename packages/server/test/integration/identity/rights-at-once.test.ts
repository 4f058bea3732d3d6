import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertToken } from '../../authorization/insert-token.ts'
import { addUser, type TestUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { type As, type Call, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let first: TestServer
let second: TestServer
beforeAll(async () => {
  // Not at `debug`, so that polls of snapshots take the fast path as in production.
  first = await startTestServer({ env: { LOG_LEVEL: 'info' } })
  second = await startTestServer({ database: first.database, env: { LOG_LEVEL: 'info' } })
})
afterAll(async () => {
  await second?.close()
  await first?.close()
})

interface Project {
  readonly id: string
  readonly environments: readonly [{ readonly id: string }, ...{ readonly id: string }[]]
  readonly sdk_key: { readonly id: number; readonly key: string }
}

let made = 0
let project: Project
beforeEach(async () => {
  made += 1
  project = await asAdmin({ path: '/api/projects', body: { name: `At once ${made}` } })
})

async function asAdmin(call: Call) {
  const { body, status } = await first.call(call)
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

const newMember = (role: 'admin' | 'editor' | 'viewer'): Promise<TestUser> =>
  addUser(first, { email: `member-${made}@example.com`, memberOf: { [project.id]: role } })
const tokenOf = async ({ id }: TestUser): Promise<As> => ({
  bearer: (await insertToken({ server: first }, { user_id: id })).token,
})

type Ask = (server: TestServer) => Promise<number>
const reading =
  (as: As): Ask =>
  async (server) =>
    (await server.call({ path: `/api/environments/${project.environments[0].id}/flags`, as })).status
const writing =
  (as: As): Ask =>
  async (server) => {
    const path = `/api/environments/${project.environments[0].id}/flags`
    return (await server.call({ path, body: { key: 'flag', is_enabled: true }, as })).status
  }
const listingUsers =
  (as: As): Ask =>
  async (server) =>
    (await server.call({ path: '/api/users', as })).status
const polling =
  (as: As): Ask =>
  async (server) =>
    (await server.call({ path: '/flags/snapshot', as })).status

/** Expects both instances to respond with the status to every request. */
async function areAll(asks: readonly Ask[], status: number): Promise<void> {
  for (const ask of asks) {
    for (const server of [first, second]) expect(await ask(server)).toBe(status)
  }
}

/**
 * Expects the status from the instance of the change with the very next request, and from the other one soon.
 */
async function becomeAll(asks: readonly Ask[], status: number): Promise<void> {
  for (const ask of asks) expect(await ask(first)).toBe(status)
  for (const ask of asks) await eventually(async () => (await ask(second)) === status)
}

describe('immediate changes of rights on every instance', () => {
  it.each([
    ['viewer', 'editor', 403, 200],
    ['editor', 'viewer', 200, 403],
  ] as const)('a %s who becomes %s needs no new login', async (role, newRole, before, after) => {
    const member = await newMember(role)
    const writes = [writing(member), writing(await tokenOf(member))]
    await areAll(writes, before)

    const path = `/api/projects/${project.id}/members/${member.id}`
    await asAdmin({ method: 'PATCH', path, body: { role: newRole } })

    await becomeAll(writes, after)
  })

  it('a user who is added as a member has the rights at once', async () => {
    const user = await addUser(first, { email: `user-${made}@example.com` })
    const reads = [reading(user), reading(await tokenOf(user))]
    await areAll(reads, 403)

    const body = { user_id: user.id, role: 'viewer' }
    await asAdmin({ path: `/api/projects/${project.id}/members`, body })

    await becomeAll(reads, 200)
  })

  it('a removed member is 403 at once', async () => {
    const member = await newMember('admin')
    const reads = [reading(member), reading(await tokenOf(member))]
    await areAll(reads, 200)

    await asAdmin({ method: 'DELETE', path: `/api/projects/${project.id}/members/${member.id}` })

    await becomeAll(reads, 403)
  })

  it('a demoted workspace admin is 403 at once', async () => {
    const user = await addUser(first, { email: `admin-${made}@example.com`, role: 'admin' })
    const asks = [listingUsers(user), reading(user), listingUsers(await tokenOf(user))]
    await areAll(asks, 200)

    await asAdmin({ method: 'PATCH', path: `/api/users/${user.id}`, body: { role: 'editor' } })

    await becomeAll(asks, 403)
  })

  it('a deleted user is 401 at once', async () => {
    const member = await newMember('admin')
    const reads = [reading(member), reading(await tokenOf(member))]
    await areAll(reads, 200)

    await asAdmin({ method: 'DELETE', path: `/api/users/${member.id}` })

    await becomeAll(reads, 401)
  })

  it('a session after logout is 401 at once', async () => {
    const member = await newMember('admin')
    await areAll([reading(member)], 200)

    await asAdmin({ method: 'POST', path: '/api/auth/logout', as: member })

    await becomeAll([reading(member)], 401)
  })

  it('a revoked token is 401 at once', async () => {
    const member = await newMember('admin')
    const { id, token } = await insertToken({ server: first }, { user_id: member.id })
    const reads = [reading({ bearer: token })]
    await areAll(reads, 200)

    await asAdmin({ method: 'DELETE', path: `/api/tokens/${id}`, as: member })

    await becomeAll(reads, 401)
    await areAll([reading(member)], 200)
  })

  it.each(['server', 'client'])('a revoked %s key is 401 at once', async (kind) => {
    const path = `/api/projects/${project.id}/keys`
    const environment_id = project.environments[0].id
    const { id, key } = await asAdmin({ path, body: { name: 'Key', environment_id, kind } })
    const polls = [polling({ bearer: key })]
    await areAll(polls, 200)

    await asAdmin({ method: 'DELETE', path: `${path}/${id}` })

    await becomeAll(polls, 401)
    await areAll([polling({ bearer: project.sdk_key.key })], 200)
  })

  it('a key of a deleted environment is 401 at once', async () => {
    const as = { bearer: project.sdk_key.key }
    await areAll([polling(as), reading(as)], 200)

    const [{ id }] = project.environments
    await asAdmin({ method: 'DELETE', path: `/api/projects/${project.id}/environments/${id}` })

    await becomeAll([polling(as), reading(as)], 401)
  })

  it('a key of a deleted project is 401 at once, and its content 404 for every caller', async () => {
    const member = await newMember('admin')
    const as = { bearer: project.sdk_key.key }
    await areAll([polling(as), reading(as), reading(member)], 200)

    await asAdmin({ method: 'DELETE', path: `/api/projects/${project.id}` })

    await becomeAll([polling(as), reading(as)], 401)
    await becomeAll([reading(member)], 404)
  })
})
