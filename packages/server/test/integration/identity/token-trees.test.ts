import { randomUUID } from 'node:crypto'
import { TOKEN_TREE_MAX } from '@burgee/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUser, type TestUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { readStream } from '../../harness/read-stream.ts'
import { ADMIN, type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const DAY_MS = 24 * 60 * 60_000

const clock = createManualClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.close())

const newUser = (over: Partial<Parameters<typeof addUser>[1]> = {}): Promise<TestUser> =>
  addUser(server, { email: `${randomUUID()}@example.com`, ...over })

const as = ({ cookie }: { cookie: string }): As => ({ cookie })
const bearer = ({ token }: { token: string }): As => ({ bearer: token })

const create = (who: As, body: object = {}, path = '/api/tokens') =>
  server.call({ path, body: { name: 'CI', scope: 'read_write', ...body }, as: who })

async function newToken(who: As, body: object = {}, path?: string) {
  const answer = await create(who, body, path)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

const list = async (who: As, path = '/api/tokens') => (await server.call({ path, as: who })).body
const statusOf = async (token: { token: string }) =>
  (await server.call({ path: '/api/auth/me', as: bearer(token) })).status
const statusesOf = (tokens: readonly { token: string }[]) => Promise.all(tokens.map(statusOf))
const revoke = (id: number, who: As) => server.call({ method: 'DELETE', path: `/api/tokens/${id}`, as: who })

const newServiceAccount = async (): Promise<number> =>
  (await server.call({ path: '/api/service-accounts', body: { name: `bot ${randomUUID()}` } })).body.id

it('a token that a token creates ends no later than it, and names it', async () => {
  const user = as(await newUser())
  const parent = await newToken(user, { name: 'Parent', expires_in_days: 2 })
  expect(parent).toMatchObject({ parent_id: null, parent_name: null })
  const with2Days = { expires_at: parent.expires_at, parent_id: parent.id, parent_name: 'Parent' }
  expect(await newToken(bearer(parent))).toMatchObject(with2Days)
  expect(await newToken(bearer(parent), { expires_in_days: null })).toMatchObject(with2Days)
  const child = await newToken(bearer(parent), { name: 'Child', expires_in_days: 365 })
  expect(child).toMatchObject(with2Days)
  const short = await newToken(bearer(parent), { expires_in_days: 1 })
  expect(Date.parse(short.expires_at)).toBe(Date.parse(parent.expires_at) - DAY_MS)
  const grandchild = await newToken(bearer(child))
  expect(grandchild).toMatchObject({
    expires_at: parent.expires_at,
    parent_id: child.id,
    parent_name: 'Child',
  })

  const endless = await newToken(user)
  expect(await newToken(bearer(endless))).toMatchObject({ expires_at: null, parent_id: endless.id })
  const shown = (await list(user)).find(({ id }: { id: number }) => id === grandchild.id)
  expect(shown).toMatchObject({ parent_id: child.id, parent_name: 'Child' })

  clock.advance(2 * DAY_MS)
  expect(await statusesOf([parent, child, short, grandchild])).toEqual([401, 401, 401, 401])
  expect(await statusOf(endless)).toBe(200)
})

it('a revoked token takes the tokens that were created with it along, also those of service accounts', async () => {
  const admin = await newUser({ role: 'admin' })
  const account = await newServiceAccount()
  const path = `/api/service-accounts/${account}/tokens`
  const parent = await newToken(as(admin), { name: 'Parent' })
  const child = await newToken(bearer(parent))
  const grandchild = await newToken(bearer(child))
  const ofAccount = await newToken(bearer(child), {}, path)
  const bySession = await newToken(as(admin), {}, path)
  expect(await list('admin', path)).toMatchObject([
    { id: ofAccount.id, parent_id: child.id, parent_name: 'CI' },
    { id: bySession.id, parent_id: null, parent_name: null },
  ])
  const stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${ofAccount.token}` })
  await stream.until(({ event }) => event === 'ready')

  expect((await revoke(parent.id, as(admin))).status).toBe(204)
  await eventually(() => stream.ended())
  expect(await statusesOf([parent, child, grandchild, ofAccount])).toEqual([401, 401, 401, 401])
  expect(await statusOf(bySession)).toBe(200)
  const { rows } = await server.database.pool.query(
    `select metadata from audit_log where action = 'delete' and metadata->>'resource' = any($1) order by id`,
    [[parent, child, grandchild, ofAccount].map(({ id }) => `access_token:${id}`)],
  )
  const revoked_with = `access_token:${parent.id}`
  expect(rows.map(({ metadata }) => metadata)).toMatchObject([
    { resource: `access_token:${parent.id}` },
    { resource: `access_token:${child.id}`, revoked_with },
    { resource: `access_token:${grandchild.id}`, revoked_with },
    { resource: `access_token:${ofAccount.id}`, revoked_with, user: `service_account:${account}` },
  ])
})

it('disabling or deleting an admin ends the tokens of service accounts that a token of theirs has created', async () => {
  const path = `/api/service-accounts/${await newServiceAccount()}/tokens`
  for (const change of [
    { method: 'POST', path: '/disable' },
    { method: 'DELETE', path: '' },
  ]) {
    const admin = await newUser({ role: 'admin' })
    const withToken = await newToken(bearer(await newToken(as(admin))), {}, path)
    const withSession = await newToken(as(admin), {}, path)
    const answer = await server.call({ ...change, path: `/api/users/${admin.id}${change.path}` })
    expect(answer.status).toBeLessThan(300)
    expect(await statusesOf([withToken, withSession])).toEqual([401, 200])
  }
})

it('a new password revokes all tokens but the one that sets it, also where that has a parent', async () => {
  const user = await newUser()
  const parent = await newToken(as(user), { expires_in_days: 3 })
  const child = await newToken(bearer(parent))
  const grandchild = await newToken(bearer(child))
  const body = { current_password: ADMIN.password, new_password: 'another correct horse' }
  expect((await server.call({ path: '/api/auth/password', body, as: bearer(child) })).status).toBe(204)
  expect(await statusesOf([parent, child, grandchild])).toEqual([401, 200, 401])
  expect(await list(bearer(child))).toMatchObject([
    { id: child.id, parent_id: null, expires_at: parent.expires_at },
  ])
})

it('with one token and those that it created, at most 100 valid ones are created', async () => {
  const user = await newUser()
  const root = await newToken(as(user))
  const child = await newToken(bearer(root))
  const now = clock.now().getTime()
  await server.database.pool.query(
    `insert into access_tokens (user_id, name, token_hash, prefix, scope, expires_at, parent_id)
     select $1, 'Filler', 'hash-' || n, 'pat_', 'read_only', case when n = 1 then $3::timestamptz end, $2::int
     from generate_series(1, $4) n`,
    [user.id, root.id, new Date(now - DAY_MS), TOKEN_TREE_MAX - 1],
  )
  // The expired one does not count.
  await newToken(bearer(child))
  for (const token of [child, root]) {
    const refused = await create(bearer(token))
    expect(refused.status).toBe(409)
    expect(refused.body.error).toContain('At most 100 valid tokens')
  }
  expect((await create(as(user))).status).toBe(200)
  expect((await revoke(root.id, as(user))).status).toBe(204)
  expect(await list(as(user))).toHaveLength(1)
})

it('a token that is revoked while it creates one leaves none behind', async () => {
  const user = as(await newUser())
  const outcomes = new Set<number>()
  for (let round = 0; round < 10; round += 1) {
    const parent = await newToken(user)
    const [created] = await Promise.all([create(bearer(parent)), revoke(parent.id, user)])
    outcomes.add(created.status)
    if (created.status === 200) expect(await statusOf(created.body)).toBe(401)
  }
  expect([...outcomes].filter((status) => status !== 200 && status !== 401)).toEqual([])
  expect(await list(user)).toEqual([])
})

it('tokens of service accounts that end with a person are named in the audit entry', async () => {
  const admin = await newUser({ role: 'admin' })
  const account = await newServiceAccount()
  const parent = await newToken(as(admin), { name: 'Parent' })
  const ofAccount = await newToken(bearer(parent), {}, `/api/service-accounts/${account}/tokens`)

  const disabled = await server.call({ path: `/api/users/${admin.id}/disable`, body: {} })
  expect(disabled.status).toBe(200)

  expect(await statusesOf([parent, ofAccount])).toEqual([401, 401])
  const { body } = await server.call({ path: '/api/audit?limit=1' })
  expect(body[0].metadata).toMatchObject({
    ...{ resource: `user:${admin.id}`, tokens_revoked: 2 },
    account_tokens_revoked: [`access_token:${ofAccount.id} of service_account:${account}`],
  })
})
