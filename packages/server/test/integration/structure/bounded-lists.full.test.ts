import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertEntries } from '../../audit/insert-entries.ts'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const MIB = 1024 * 1024
const LARGE_FLAGS = 20
const ANSWER_MAX_BYTES = 16 * MIB

let server: TestServer
let environment: string
let project: string
let admin: number

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.staging}`
  project = `/api/projects/${server.project.id}`
  admin = (await server.call({ path: '/api/users' })).body[0].id
  for (let index = 0; index < LARGE_FLAGS; index += 1) {
    const body = {
      key: `large-${String(index).padStart(2, '0')}`,
      is_enabled: true,
      flag_type: 'string',
      default_value: 'x'.repeat(1_000_000),
    }
    expect((await server.call({ path: `${environment}/flags`, body })).status).toBe(200)
  }
})
afterAll(() => server.close())

async function create(path: string, body: object, method: 'PATCH' | 'POST' = 'POST') {
  const answer = await server.call({ method, path, body })
  expect({ path, ...answer }).toMatchObject({ status: expect.toBeOneOf([200, 201, 202, 204]) })
  return answer.body
}

async function createEnvironment(slug: string): Promise<string> {
  const { id } = await create(`${project}/environments`, { name: slug, slug })
  return `/api/environments/${id}`
}

/** Creates the nth thing of each kind in an environment, a project or the workspace. */
async function fill(path: string, nth: number): Promise<void> {
  const key = `flag-${nth}`
  const receiver = `https://example.com/${nth}`
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString()
  await create(`${path}/flags`, { key, is_enabled: true })
  await create(`${path}/segments`, { key, name: key })
  await create(`${path}/experiments`, { key, name: key, flag_key: key, goal_event_key: key })
  await create(`${path}/events`, [{ event_key: key, user_id: 'ada' }])
  for (const flag of new Set(['flag-0', key]))
    await create(`${path}/flags/${flag}/scheduled-changes`, { scheduled_at, patch: { is_enabled: false } })
  await create(`${path}/impressions`, [{ flag_key: key, user_id: 'ada', value: 'true' }])
  await create(`${path}/webhooks`, { name: key, url: receiver })
  await create(`${path}/integrations`, {
    kind: 'slack',
    name: key,
    webhook_url: receiver,
    events: ['flag.deleted'],
  })
  const person = { role: 'viewer', password: 'correct horse battery' }
  const member = await create('/api/users', { ...person, name: key, email: `member-${nth}@example.com` })
  await create('/api/users', { ...person, name: key, email: `candidate-${nth}@example.com` })
  await create(`${project}/members`, { user_id: member.id, role: 'viewer' })
  await create('/api/projects', { name: key })
  await create('/api/tokens', { name: key, scope: 'read_only' })
  await create(`${project}/keys`, { name: key, environment_id: path.split('/').at(-1) })
}

const join = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

/** Follows the cursor to the end of a list. */
async function readPages(path: string, query = ''): Promise<Answer[]> {
  const pages: Answer[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const parts = [query, cursor && `cursor=${cursor}`].filter((part) => part !== '')
    const page: Answer = await server.call({ path: parts.length > 0 ? join(path, parts.join('&')) : path })
    expect({ status: page.status, body: page.body }).toMatchObject({ status: 200 })
    pages.push(page)
    cursor = page.headers.get('x-next-cursor')
  }
  return pages
}

const keysOf = (pages: readonly Answer[]) =>
  pages.flatMap(({ body }) => body.map(({ key }: { key: string }) => key))

describe('lists larger than a response', () => {
  it('a list ends before 16 MiB and continues behind X-Next-Cursor', async () => {
    const pages = await readPages(`${environment}/flags`)
    expect(pages.length).toBe(2)
    for (const { body } of pages) expect(JSON.stringify(body).length).toBeLessThanOrEqual(ANSWER_MAX_BYTES)
    expect(keysOf(pages)).toEqual([...new Set(keysOf(pages))].sort())
    expect(keysOf(pages)).toHaveLength(LARGE_FLAGS)
  })

  it.each([
    ['the audit of an environment', () => `${environment}/audit?limit=200`],
    ['the audit of a project', () => `${project}/audit?limit=200`],
  ])('a list larger than a response is complete over its pages: %s', async (_name, path) => {
    const pages = await readPages(path())
    expect(pages.length).toBeGreaterThan(1)
    const entries = pages.flatMap(({ body }) => body)
    const ids = entries.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
    const created = entries.filter(({ after_data }) => after_data.key?.startsWith('large-'))
    expect(created).toHaveLength(LARGE_FLAGS)
    for (const { after_data } of created) expect(after_data.default_value).toHaveLength(1_000_000)
  })

  it('a comparison of environments larger than a response has pages', async () => {
    const { production, staging } = server.environments
    for (let index = 0; index < LARGE_FLAGS; index += 1) {
      const body = {
        key: `large-${String(index).padStart(2, '0')}`,
        is_enabled: true,
        flag_type: 'string',
        default_value: 'y'.repeat(1_000_000),
      }
      await server.call({ path: `/api/environments/${production}/flags`, body })
    }
    const compared: { key: string; status: string }[] = []
    let query = `source=${staging}&target=${production}`
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Answer = await server.call({ path: `${project}/compare?${query}` })
      expect(page.body).toMatchObject({ source: staging, target: production })
      expect(JSON.stringify(page.body).length).toBeLessThanOrEqual(ANSWER_MAX_BYTES + MIB)
      compared.push(...page.body.flags)
      cursor = page.headers.get('x-next-cursor')
      query = `source=${staging}&target=${production}&cursor=${cursor}`
    }
    expect(compared).toHaveLength(LARGE_FLAGS)
    expect(new Set(compared.map(({ status }) => status))).toEqual(new Set(['different']))
  })

  it('a history of a flag larger than a response has pages', async () => {
    const path = `${environment}/flags/large-00`
    for (let step = 0; step < 20; step += 1)
      await server.call({ method: 'PATCH', path, body: { is_enabled: step % 2 === 0 } })
    const pages = await readPages(`${path}/history`)
    expect(pages.length).toBeGreaterThan(1)
    const revisions = pages.flatMap(({ body }) => body.map(({ revision }: { revision: number }) => revision))
    expect(revisions).toHaveLength(21)
    expect(revisions).toEqual([...revisions].sort((a, b) => b - a))
  })
})

/** The number of things of each kind, at least. */
const EACH = 3

describe('limit and cursor of every list', () => {
  let filled: string
  let guarded: string
  beforeAll(async () => {
    filled = await createEnvironment('filled')
    guarded = await createEnvironment('guarded')
    for (let nth = 0; nth < EACH; nth += 1) await fill(filled, nth)
    for (let nth = 0; nth < EACH; nth += 1)
      await create(`${guarded}/flags`, { key: `flag-${nth}`, is_enabled: true })
    await create(`${project}/environments/${guarded.split('/').at(-1)}/require-approval`, {
      require_approval: true,
    })
    for (let nth = 0; nth < EACH; nth += 1)
      await create(`${guarded}/flags/flag-${nth}`, { is_enabled: false }, 'PATCH')
  })

  it('pages of flags make up the whole list, and limit is clamped', async () => {
    const path = `/api/environments/${server.environments.development}/flags`
    for (const key of ['b', 'a', 'Z', '_', 'c']) await server.call({ path, body: { key, is_enabled: true } })
    const pages = await readPages(path, 'limit=2')
    expect(pages.map(({ body }) => body.length)).toEqual([2, 2, 1])
    const { body: whole, headers } = await server.call({ path })
    expect(pages.flatMap(({ body }) => body)).toEqual(whole)
    expect(headers.get('x-next-cursor')).toBeNull()
    const clamped = await server.call({ path: `${path}?limit=0` })
    expect(clamped.body).toHaveLength(1)
  })

  it.each([
    ['projects', () => '/api/projects'],
    ['users', () => '/api/users'],
    ['tokens', () => '/api/tokens'],
    ['environments', () => `${project}/environments`],
    ['keys', () => `${project}/keys`],
    ['members', () => `${project}/members`],
    ['candidates', () => `${project}/members/candidates`],
    ['segments', () => `${filled}/segments`],
    ['experiments', () => `${filled}/experiments`],
    ['change requests', () => `${guarded}/change-requests`],
    ['scheduled changes', () => `${filled}/scheduled-changes`],
    ['a flag’s scheduled changes', () => `${filled}/flags/flag-0/scheduled-changes`],
    ['a user’s scheduled changes', () => `/api/users/${admin}/scheduled-changes`],
    ['statistics of impressions', () => `${filled}/impressions/stats`],
    ['activity of flags', () => `${filled}/impressions/activity?days=7`],
    ['webhooks', () => `${filled}/webhooks`],
    ['integrations', () => `${filled}/integrations`],
    ['goals', () => `${filled}/events/keys`],
    ['audit', () => `${filled}/audit`],
  ])('pages of %s make up the whole list, and a hostile cursor is 422', async (_name, path) => {
    const { body: whole } = await server.call({ path: path() })
    expect(whole.length).toBeGreaterThanOrEqual(EACH)
    const pages = await readPages(path(), 'limit=1')
    expect(pages.flatMap(({ body }) => body)).toEqual(whole)
    const forged = Buffer.from(JSON.stringify(['flags', { $gt: '' }])).toString('base64url')
    for (const cursor of ['x', '%00', '..', forged, 'W10', '1'.repeat(2_001)]) {
      const { body, status } = await server.call({ path: join(path(), `cursor=${cursor}`) })
      expect({ cursor, status }).toEqual({ cursor, status: 422 })
      expect(body.error).toContain('cursor')
    }
  })

  it('a page of users starts after the last one, also when that was deleted', async () => {
    const path = `${project}/keys`
    for (const name of ['one', 'two', 'three', 'four'])
      await server.call({ path, body: { name, environment_id: server.environments.staging } })
    const { body: whole } = await server.call({ path })
    const first = await server.call({ path: `${path}?limit=2` })
    expect(first.body).toEqual(whole.slice(0, 2))
    await server.call({ method: 'DELETE', path: `${path}/${whole[1].id}` })
    const cursor = first.headers.get('x-next-cursor')
    const rest = await server.call({ path: `${path}?cursor=${cursor}` })
    expect(rest.body.map(({ id }: { id: number }) => id)).toEqual(
      whole.slice(3).map(({ id }: { id: number }) => id),
    )
  })
})

describe('paging of the audit log', () => {
  it('the audit log accepts limit and offset, and responds with the start of the next page', async () => {
    const ids = await insertEntries(
      server,
      Array.from({ length: 7 }, () => ({
        project_id: server.project.id,
        environment_id: server.environments.development,
        actor_email: 'pages@example.com',
      })),
    )
    const path = `${project}/audit?actor=pages@example.com`
    const newest = ids.toReversed()
    const offset = await server.call({ path: `${path}&limit=3&offset=2` })
    const idsOf = ({ body }: Answer) => body.map(({ id }: { id: number }) => id)
    expect(idsOf(offset)).toEqual(newest.slice(2, 5))
    const next = await server.call({ path: `${path}&limit=3&cursor=${offset.headers.get('x-next-cursor')}` })
    expect(idsOf(next)).toEqual(newest.slice(5))
    expect(next.headers.get('x-next-cursor')).toBeNull()
  })
})
