import { randomUUID } from 'node:crypto'
import { AUDIT_ACTIONS, type Endpoint, endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EntryDraft, insertEntries } from '../../audit/insert-entries.ts'
import { ANY_FLAG, AUDITED, type Done, NOT_AUDITED } from '../../audit/write-cases.ts'
import { type Caller, CSRF } from '../../authorization/caller.ts'
import { insertToken } from '../../authorization/insert-token.ts'
import { PLANNERS } from '../../authorization/plans/plans.ts'
import { asAdmin, createKey, createWorld, putFlag, type World } from '../../authorization/world.ts'
import { addUser } from '../../harness/add-user.ts'
import { AUDIT_TRACE } from '../../harness/audit-trace.ts'
import { eventually } from '../../harness/eventually.ts'
import { lockTable } from '../../harness/lock-table.ts'
import type { As } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

let world: World
let owner: Caller
let viewer: As
let editor: As
let projectAdmin: As
const emails = new Map<number | null, string>()

beforeAll(async () => {
  world = await createWorld()
  owner = await createOwner()
  viewer = await sessionOf('viewer')
  editor = await sessionOf('editor')
  projectAdmin = await sessionOf('admin')
})
afterAll(() => world.server.close())

/** Creates a workspace admin for each request that ends the caller's own session. */
async function createOwner(): Promise<Caller> {
  const memberOf = { [world.home.project_id]: 'viewer' } as const
  const email = `${world.newName('owner')}@example.com`
  const { cookie, id } = await addUser(world.server, { email, role: 'admin', memberOf })
  emails.set(id, email)
  return {
    column: 'owner',
    name: 'owner',
    headers: { cookie, ...CSRF },
    user_id: id,
    identity: `user:${id}`,
    sees: { projectIds: [], environmentIds: [] },
    another: createOwner,
  }
}

async function sessionOf(role: 'viewer' | 'editor' | 'admin'): Promise<As> {
  const memberOf = { [world.home.project_id]: role }
  const { cookie } = await addUser(world.server, { email: `${role}@example.com`, memberOf })
  return { cookie }
}

const lastId = async (): Promise<number> => {
  const { rows } = await world.server.database.pool.query('select coalesce(max(id), 0) as id from audit_log')
  return Number(rows[0].id)
}

const entriesAfter = async (id: number) => {
  const { db } = world.server.database
  return db.selectFrom('audit_log').selectAll().where('id', '>', id).orderBy('id').execute()
}

const pathOf = (path: string, params: Done['plan']['params'] = {}) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))

const COMMENT = 'The launch is over'
const takesComment = (schema: unknown): boolean => Object.hasOwn(Object(Object(schema).properties), 'comment')

type EndpointName = keyof typeof endpoints
const names = Object.keys(endpoints) as EndpointName[]
const writes = names.filter((name) => endpoints[name].method !== 'GET')
const audited = Object.keys(AUDITED) as (keyof typeof AUDITED)[]

describe("the audit entries of the contract's writes", () => {
  it('every write has an audit case here, or a reason for having none', () => {
    expect([...audited, ...Object.keys(NOT_AUDITED)].sort()).toEqual([...writes].sort())
  })

  it.each(audited)('one audit entry is left by %s, with its comment where it takes one', async (name) => {
    const { action, flag_key, holds, origin, place, resource } = AUDITED[name]
    const { body: schema, method, path, query: querySchema }: Endpoint = endpoints[name]
    const inBody = takesComment(schema) && { comment: COMMENT }
    const inQuery = takesComment(querySchema) && { comment: COMMENT }
    const plan = await PLANNERS[name](world, world.home, owner)
    const sender = plan.sender ?? owner
    const before = await lastId()

    const answer = await world.server.call({
      method,
      path: `${pathOf(path, plan.params)}?${new URLSearchParams({ ...plan.query, ...inQuery })}`,
      body: inBody ? { ...Object(plan.body), ...inBody } : plan.body,
      as: 'anonymous',
      headers: sender.headers,
    })
    expect(answer.status).toBeLessThan(300)

    const entries = await entriesAfter(before)
    expect(entries).toHaveLength(1)
    const [entry] = entries
    const done: Done = { plan, sent: plan.body, body: answer.body, senderId: sender.user_id }
    expect(entry).toMatchObject({ action, actor_email: emails.get(sender.user_id) })
    expect(AUDIT_ACTIONS).toContain(entry?.action)
    expect(entry?.metadata).toMatchObject({
      origin,
      request_id: answer.headers.get('x-request-id'),
      ...(resource && { resource: resource(done) }),
      ...((inBody || inQuery) && { comment: COMMENT }),
    })
    const key = flag_key?.(done) ?? ''
    if (key === ANY_FLAG) expect(entry?.flag_key).toMatch(/^flag-\d+$/)
    else expect(entry?.flag_key).toBe(key)
    // Either a flag is named, or another thing.
    expect(entry?.flag_key === '').toBe(resource !== undefined)
    expect({ before: entry?.before_data !== null, after: entry?.after_data !== null }).toEqual({
      before: holds === 'before' || holds === 'both',
      after: holds === 'after' || holds === 'both',
    })
    expect(placeOf(entry ?? {}, done)).toBe(place)
  })

  function placeOf(
    { environment_id, project_id }: { environment_id?: string | null; project_id?: string | null },
    { body, plan: { params } }: Done,
  ) {
    if (!project_id) return environment_id ? 'an environment without a project' : 'workspace'
    const projects = [world.home.project_id, params?.project_id, body?.id]
    if (!projects.includes(project_id)) return 'a foreign project'
    if (!environment_id) return 'project'
    if (environment_id === world.home.otherEnvironmentId) return 'other environment'
    const environments = [world.home.environment_id, params?.env_id, body?.id]
    return environments.includes(environment_id) ? 'environment' : 'a foreign environment'
  }

  it('a refused write leaves no audit entry', async () => {
    const { environment_id, project_id } = world.home
    const { key } = await putFlag(world, environment_id)
    const flags = `/api/environments/${environment_id}/flags`
    const before = await lastId()
    const refused = [
      { method: 'PATCH', path: `${flags}/${key}`, body: { rollout_percentage: 101 } },
      {
        method: 'PATCH',
        path: `${flags}/${key}`,
        body: { is_enabled: true },
        headers: { 'if-match': '"0"' },
      },
      { method: 'PATCH', path: `${flags}/missing`, body: {} },
      { method: 'DELETE', path: `${flags}/${key}`, as: viewer },
      { path: `${flags}/bulk`, body: { keys: ['missing'], action: 'enable' } },
      { path: `/api/projects/${project_id}/environments`, body: { name: 'Again', slug: 'production' } },
      { path: `/api/projects/${project_id}/keys`, body: { name: 'Key' }, as: editor },
    ] as const
    for (const call of refused) await world.server.call(call)
    expect(await entriesAfter(before)).toEqual([])
  })

  it('audit entries have the states before and after', async () => {
    const { environment_id } = world.home
    const { key } = await putFlag(world, environment_id)
    const path = `/api/environments/${environment_id}/flags/${key}`
    const before = stateOf(await asAdmin(world.server, { path }))
    await asAdmin(world.server, { method: 'PATCH', path, body: { description: 'Changed', tags: ['a'] } })
    const after = stateOf(await asAdmin(world.server, { path }))
    const [entry] = await asAdmin(world.server, {
      path: `/api/environments/${environment_id}/audit?flag_key=${key}`,
    })
    expect(entry).toEqual({
      id: expect.any(Number),
      environment_id,
      flag_key: key,
      actor_email: 'ada@example.com',
      action: 'update',
      before_data: before,
      after_data: after,
      metadata: { origin: 'direct', ...AUDIT_TRACE },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      chain: environment_id,
      seq: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('a bulk action leaves one audit entry for each changed flag, all with one request id', async () => {
    const { environment_id } = world.home
    const keys = [await putFlag(world, environment_id), await putFlag(world, environment_id)].map(
      (f) => f.key,
    )
    const before = await lastId()
    const { headers } = await world.server.call({
      path: `/api/environments/${environment_id}/flags/bulk`,
      body: { keys: [...keys, 'missing'], action: 'archive' },
    })
    const entries = await entriesAfter(before)
    expect(entries.map(({ action, flag_key }) => ({ action, flag_key }))).toEqual(
      keys.map((flag_key) => ({ action: 'archive', flag_key })),
    )
    for (const { metadata } of entries) {
      expect(metadata).toMatchObject({ request_id: headers.get('x-request-id') })
    }
  })

  it('audit entries of an SDK key have the actor sdk-key:<name>, those of a token its owner', async () => {
    const { environment_id } = world.home
    const path = `/api/environments/${environment_id}/flags`
    const { id, key } = await createKey(world, world.home)
    const { name } = (
      await asAdmin(world.server, { path: `/api/projects/${world.home.project_id}/keys` })
    ).find((stored: { id: number }) => stored.id === id)
    const { token } = await insertToken(world, { user_id: owner.user_id ?? 0 })
    const before = await lastId()
    const body = { key: world.newName('flag'), is_enabled: true }
    for (const bearer of [key, token]) await world.server.call({ path, body, as: { bearer } })
    expect((await entriesAfter(before)).map(({ actor_email }) => actor_email)).toEqual([
      `sdk-key:${name}`,
      emails.get(owner.user_id),
    ])
  })

  it('audit entries never contain a secret', async () => {
    const { environment_id, project_id } = world.home
    const password = 'a password that nobody may read'
    const user = { name: 'Sam', email: 'sam@example.com', role: 'viewer', password }
    const { id } = await asAdmin(world.server, { path: '/api/users', body: user })
    const changed = `${password} at all`
    await asAdmin(world.server, { method: 'PATCH', path: `/api/users/${id}`, body: { password: changed } })
    const { key } = await asAdmin(world.server, {
      path: `/api/projects/${project_id}/keys`,
      body: { name: 'Secret key', environment_id },
    })
    const { token } = await asAdmin(world.server, {
      path: '/api/tokens',
      body: { name: 'Secret token', scope: 'read_write' },
    })
    const { sdk_key } = await asAdmin(world.server, {
      path: '/api/projects',
      body: { name: 'Secret project' },
    })
    const { rows } = await world.server.database.pool.query('select audit_log::text as entry from audit_log')
    const log = rows.map(({ entry }) => entry).join('\n')
    for (const secret of [password, key, token, sdk_key.key]) expect(log).not.toContain(secret)
    expect(log).not.toMatch(/argon2|_hash/)
  })
})

describe('GET /api/environments/{env_id}/audit', () => {
  let path: string
  let ids: number[]
  beforeAll(async () => {
    const { id: environment_id } = await newEnvironment()
    path = `/api/environments/${environment_id}/audit`
    const { project_id } = world.home
    const drafts = Array.from({ length: 230 }, (_, index) => ({
      project_id,
      environment_id,
      flag_key: index % 10 === 0 ? 'tenth' : 'other',
    }))
    // The creation of the project is the oldest entry.
    const created = await lastId()
    ids = [created, ...(await insertEntries(world.server, drafts))].reverse()
  })

  const idsOf = async (query: string): Promise<number[]> => {
    const entries = await asAdmin(world.server, { path: path + query })
    return entries.map(({ id }: { id: number }) => id)
  }

  it('the audit list of an environment has the newest first, 50 by default', async () => {
    expect(await idsOf('')).toEqual(ids.slice(0, 50))
    expect(await idsOf('?limit=7')).toEqual(ids.slice(0, 7))
    expect(await idsOf('?limit=7&offset=5')).toEqual(ids.slice(5, 12))
    expect(await idsOf('?offset=225')).toEqual(ids.slice(225))
    expect(await idsOf('?offset=5000')).toEqual([])
  })

  it.each([
    ['limit=0', 1],
    ['limit=-1', 1],
    ['limit=200', 200],
    ['limit=201', 200],
    ['limit=%2B7', 7],
    ['limit=1000000000', 200],
    ['limit=99999999999999999999', 200],
    ['offset=-1', 50],
    ['offset=-1000000000&limit=3', 3],
  ])('the audit list clamps parameters out of range: %s', async (query, length) => {
    expect(await idsOf(`?${query}`)).toEqual(ids.slice(0, length))
  })

  it('the audit list is empty for an offset beyond the end', async () => {
    expect(await idsOf('?offset=99999999999999999999')).toEqual([])
  })

  it.each([
    ...['x', '', '1.5', 'NaN', '1&limit=2', '0x10', '1e1', '%205', '5.0', '5%20'].map(
      (odd) => `limit=${odd}`,
    ),
    ...['offset=x', 'offset=1e1', 'flag_key=%00', 'id=0', 'id=x'],
  ])('the audit list is 422 for an invalid number or text: %s', async (query) => {
    expect((await world.server.call({ path: `${path}?${query}` })).status).toBe(422)
  })

  it('the audit list can be filtered by flag', async () => {
    const tenth = await asAdmin(world.server, { path: `${path}?flag_key=tenth&limit=200` })
    expect(tenth).toHaveLength(23)
    expect(new Set(tenth.map(({ flag_key }: { flag_key: string }) => flag_key))).toEqual(new Set(['tenth']))
    expect(await idsOf('?flag_key=tenth&limit=2&offset=1')).toEqual(
      tenth.slice(1, 3).map(({ id }: { id: number }) => id),
    )
    expect(await idsOf('?flag_key=ten')).toEqual([])
  })

  it('the audit list finds one entry by its id, and none of another environment', async () => {
    expect(await idsOf(`?id=${ids[3]}`)).toEqual([ids[3]])
    expect(await idsOf('?id=99999999999999999999')).toEqual([])
    const abroad = `/api/environments/${world.abroad.environment_id}/audit?id=${ids[3]}`
    expect(await asAdmin(world.server, { path: abroad })).toEqual([])
  })

  it('audit entries have objects for before and after, which are empty when there was nothing', async () => {
    const [created] = (await asAdmin(world.server, { path: `${path}?limit=200&offset=230` })) ?? []
    expect(created).toMatchObject({ action: 'create', before_data: {}, flag_key: '' })
    expect(created.after_data).toMatchObject({ id: path.split('/')[3] })
  })

  it('the audit list is for everyone who may read the environment, and 404 when that does not exist', async () => {
    expect((await world.server.call({ path, as: viewer })).status).toBe(200)
    expect((await world.server.call({ path: `/api/environments/${randomUUID()}/audit` })).status).toBe(404)
    const abroad = `/api/environments/${world.abroad.environment_id}/audit`
    expect((await world.server.call({ path: abroad, as: editor })).status).toBe(403)
  })
})

async function newEnvironment(): Promise<{ id: string }> {
  return asAdmin(world.server, {
    path: `/api/projects/${world.home.project_id}/environments`,
    body: { name: 'Audited', slug: world.newName('audited') },
  })
}

async function newProject(): Promise<{ id: string; environments: { id: string }[] }> {
  return asAdmin(world.server, { path: '/api/projects', body: { name: world.newName('audited') } })
}

describe('GET /api/projects/{project_id}/audit', () => {
  const FILTERS = ['environment_id', 'flag_key', 'actor', 'action', 'from', 'to'] as const
  let path: string
  let entries: (EntryDraft & { id: number })[]
  let asked: Record<(typeof FILTERS)[number], string>

  beforeAll(async () => {
    const { environments, id: project_id } = await newProject()
    path = `/api/projects/${project_id}/audit`
    const [one, other] = environments.map(({ id }) => id)
    if (!one || !other) throw new Error('a project has environments')
    const drafts: EntryDraft[] = []
    for (const environment_id of [one, other])
      for (const flag_key of ['', 'checkout'])
        for (const actor_email of ['Eve@example.com', 'sdk-key:robot'])
          for (const action of ['update', 'change_request.open'])
            for (const second of ['00', '01', '02'])
              drafts.push({
                project_id,
                environment_id,
                flag_key,
                actor_email,
                action,
                created_at: `2026-02-01T00:00:${second}.000Z`,
              })
    const ids = await insertEntries(world.server, drafts)
    entries = drafts.map((draft, index) => ({ ...draft, id: ids[index] ?? 0 })).reverse()
    asked = {
      environment_id: one,
      flag_key: 'checkout',
      actor: 'Eve@example.com',
      action: 'change_request.open',
      from: '2026-02-01T00:00:01Z',
      to: '2026-02-01T00:00:01Z',
    }
  })

  const wants = (names: readonly string[]) => (entry: EntryDraft) =>
    names.every((name) => {
      switch (name) {
        case 'environment_id':
          return entry.environment_id === asked.environment_id
        case 'flag_key':
          return entry.flag_key === asked.flag_key
        case 'actor':
          return entry.actor_email === asked.actor
        case 'action':
          return entry.action === asked.action
        case 'from':
          return Date.parse(entry.created_at ?? '') >= Date.parse(asked.from)
        default:
          return Date.parse(entry.created_at ?? '') <= Date.parse(asked.to)
      }
    })

  const read = async (query: Record<string, string>): Promise<{ id: number }[]> =>
    asAdmin(world.server, { path: `${path}?${new URLSearchParams(query)}` })

  it('the audit list of a project filters by environment, flag, actor, action and time, alone and together', async () => {
    // From 1: without a filter the project's own creation is included.
    for (let chosen = 1; chosen < 2 ** FILTERS.length; chosen += 1) {
      const names = FILTERS.filter((_, bit) => (chosen >> bit) & 1)
      // The project's creation is from this year and by another actor, and not part of the draft.
      const shown = await read({
        ...Object.fromEntries(names.map((name) => [name, asked[name]])),
        limit: '200',
      })
      const known = new Set(entries.map(({ id }) => id))
      expect(
        shown.map(({ id }) => id).filter((id) => known.has(id)),
        names.join(', '),
      ).toEqual(entries.filter(wants(names)).map(({ id }) => id))
    }
  })

  it('the audit filters accept an actor in any case, an environment id in capitals, and times of any offset', async () => {
    const inOneForm = await read({ ...asked })
    expect(inOneForm).toHaveLength(1)
    const inAnother = await read({
      ...asked,
      actor: 'eVE@EXAMPLE.com',
      environment_id: asked.environment_id.toUpperCase(),
      from: '2026-02-01T02:00:01+02:00',
      to: '2026-01-31T23:00:01.000-01:00',
    })
    expect(inAnother).toEqual(inOneForm)
    expect(await read({ actor: 'eve' })).toEqual([])
    expect(await read({ action: 'no_such_action' })).toEqual([])
  })

  it('the audit list of a project filters what switched a flag on or off, also where the flag is stored in chunks', async () => {
    const { environment_id } = world.home
    const key = world.newName('switched')
    // More than 16 KiB is stored in chunks.
    const rules = [
      { attribute: 'id', operator: 'equals', values: Array.from({ length: 3_000 }, (_, at) => `user-${at}`) },
    ]
    const flag = { path: `/api/environments/${environment_id}/flags/${key}`, method: 'PATCH' }
    const body = { key, is_enabled: true, rules }
    await asAdmin(world.server, { path: `/api/environments/${environment_id}/flags`, body })
    await asAdmin(world.server, { ...flag, body: { is_enabled: false } })
    await asAdmin(world.server, { ...flag, body: { description: 'no switch' } })
    await asAdmin(world.server, { ...flag, body: { is_enabled: true } })
    const path = `/api/projects/${world.home.project_id}/audit?flag_key=${key}`
    const switched = async (way: string) =>
      (await asAdmin(world.server, { path: `${path}&switched=${way}` })).map(
        ({ after_data }: { after_data: { is_enabled: boolean } }) => after_data.is_enabled,
      )

    expect(await switched('on')).toEqual([true])
    expect(await switched('off')).toEqual([false])
    expect((await world.server.call({ path: `${path}&switched=sideways` })).status).toBe(422)
  })

  it('the audit list of a project has pages like that of an environment', async () => {
    const known = entries.map(({ id }) => id)
    const page = async (query: Record<string, string>) => (await read(query)).map(({ id }) => id)
    expect(await page({})).toHaveLength(49)
    expect(await page({ limit: '5', offset: '10' })).toEqual(known.slice(10, 15))
    expect(await page({ limit: '0' })).toEqual(known.slice(0, 1))
    expect(await page({ limit: '-3', offset: '-3' })).toEqual(known.slice(0, 1))
    expect(await page({ limit: '1000000000' })).toHaveLength(49)
  })

  it.each([
    'limit=x',
    'offset=x',
    'environment_id=production',
    'from=yesterday',
    'to=2026-02-01',
    'from=infinity',
    'actor=%00',
    'action=%00',
  ])('the audit list of a project is 422 with %s', async (query) => {
    expect((await world.server.call({ path: `${path}?${query}` })).status).toBe(422)
  })

  it('the audit list of a project shows nothing of another project, also for its environment', async () => {
    expect(await read({ environment_id: world.abroad.environment_id })).toEqual([])
  })

  it('the audit list of a project is for its admins only, and 404 when it does not exist', async () => {
    const home = `/api/projects/${world.home.project_id}/audit`
    const { key } = await createKey(world, world.home)
    for (const as of [viewer, editor, { bearer: key }]) {
      expect((await world.server.call({ path: home, as })).status).toBe(403)
    }
    expect((await world.server.call({ path: home, as: projectAdmin })).status).toBe(200)
    expect((await world.server.call({ path, as: projectAdmin })).status).toBe(403)
    expect((await world.server.call({ path: `/api/projects/${randomUUID()}/audit` })).status).toBe(404)
  })
})

describe('the NDJSON export of the audit log', () => {
  const ENTRIES = 1_200
  const accept = { accept: 'application/x-ndjson' }
  let path: string
  let ids: number[]

  beforeAll(async () => {
    const { id: project_id } = await newProject()
    path = `/api/projects/${project_id}/audit`
    const created = await lastId()
    const text = 'Ænglisc, 漢字, \u2028 and "quotes"\n'.repeat(200)
    const drafts = Array.from({ length: ENTRIES }, (_, index) => ({
      project_id,
      flag_key: index % 3 === 0 ? 'third' : 'other',
      after_data: { index, text },
    }))
    ids = [created, ...(await insertEntries(world.server, drafts))].reverse()
  })

  /** Reads lines like a client: the harness would take the whole for one JSON text. */
  const exportLines = async (query = '') => {
    const answer = await fetch(world.server.url + path + query, {
      headers: { cookie: world.server.cookie, ...accept },
    })
    const lines = (await answer.text()).split('\n')
    expect(lines.pop()).toBe('')
    const type = answer.headers.get('content-type')
    const entries = lines.map((line) => JSON.parse(line))
    expect(entries.pop()).toHaveProperty('heads')
    return { status: answer.status, type, entries }
  }

  it('the NDJSON export streams everything, one JSON text for each line, newest first, whatever limit and offset are', async () => {
    const { entries, status, type } = await exportLines('?limit=5&offset=7')
    expect({ status, type }).toEqual({ status: 200, type: 'application/x-ndjson' })
    expect(entries.map(({ id }) => id)).toEqual(ids)
    const { body } = await world.server.call({ path: `${path}?limit=20` })
    expect(entries.slice(0, 20)).toMatchObject(body)
  })

  it('the NDJSON export applies the filters, and is empty without a match', async () => {
    const { entries } = await exportLines('?flag_key=third')
    expect(entries).toHaveLength(ENTRIES / 3)
    expect((await exportLines('?flag_key=missing')).entries).toEqual([])
  })

  it('the NDJSON export is refused like the list', async () => {
    const call = { path, headers: accept }
    expect((await world.server.call({ ...call, as: projectAdmin })).status).toBe(403)
    expect((await world.server.call({ ...call, path: `${path}?from=x` })).status).toBe(422)
  })

  it('the export is JSON when the caller accepts something else', async () => {
    const { headers } = await world.server.call({ path, headers: { accept: 'application/json, */*' } })
    expect(headers.get('content-type')).toContain('application/json')
  })

  it('HEAD of the NDJSON export has no body, and reads nothing', async () => {
    const { database, url } = world.server
    const headers = { cookie: world.server.cookie, ...accept }
    const table = await lockTable(database, 'audit_log')
    try {
      const answer = await fetch(url + path, { method: 'HEAD', headers })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
      expect(answer.headers.get('content-length')).toBeNull()
      expect(await answer.text()).toBe('')
      // Queries for it would be waiting by now.
      for (let round = 0; round < 5; round += 1) await world.server.call({ path: '/api/projects' })
      expect(await table.waiting()).toBe(0)
    } finally {
      await table.release()
    }
  })

  it('the NDJSON export stops reading when the client leaves, without affecting anything else', async () => {
    const { pool } = world.server.database
    const reading = async () => {
      const { rows } = await pool.query(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and query like '%audit_log%' and pid <> pg_backend_pid()",
      )
      return rows[0].n
    }
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const stop = new AbortController()
        const answer = await fetch(world.server.url + path, {
          headers: { cookie: world.server.cookie, ...accept },
          signal: stop.signal,
        })
        await answer.body?.getReader().read()
        stop.abort()
      }),
    )
    await eventually(async () => (await reading()) === 0)
    expect((await exportLines()).entries).toHaveLength(ids.length)
    expect(world.server.logged()).not.toMatch(/"level":"(error|fatal)"/)
  })
})

describe('the append-only audit log', () => {
  it.each([
    ["update audit_log set actor_email = 'nobody'", 'UPDATE'],
    ['delete from audit_log where id = (select max(id) from audit_log)', 'DELETE'],
    ['truncate audit_log', 'TRUNCATE'],
    ['truncate audit_log, domain_events restart identity cascade', 'TRUNCATE with others'],
  ])('the database refuses %s on the audit log', async (statement) => {
    const { pool } = world.server.database
    const before = await pool.query(
      "select count(*), max(id), md5(string_agg(audit_log::text, '' order by id)) from audit_log",
    )
    await expect(pool.query(statement)).rejects.toThrow('append-only')
    const after = await pool.query(
      "select count(*), max(id), md5(string_agg(audit_log::text, '' order by id)) from audit_log",
    )
    expect(after.rows).toEqual(before.rows)
  })
})

describe('audit entries outlive their subject', () => {
  it("entries of a deleted environment remain in the project's audit log", async () => {
    const { id } = await newEnvironment()
    const { project_id } = world.home
    const { key } = await putFlag(world, id)
    const environment = `/api/projects/${project_id}/environments/${id}`
    await asAdmin(world.server, { method: 'DELETE', path: environment })
    expect((await world.server.call({ path: `/api/environments/${id}/audit` })).status).toBe(404)
    const left = await asAdmin(world.server, {
      path: `/api/projects/${project_id}/audit?environment_id=${id}`,
    })
    expect(
      left.map(({ action, flag_key, metadata }: Record<string, unknown>) => ({
        action,
        what: flag_key || (metadata as { resource: string }).resource,
      })),
    ).toEqual([
      { action: 'delete', what: `environment:${id}` },
      { action: 'create', what: key },
      { action: 'create', what: `environment:${id}` },
    ])
  })

  it('entries of a deleted project remain in the table', async () => {
    const { environments, id } = await newProject()
    await putFlag(world, environments[0]?.id ?? '')
    await asAdmin(world.server, { method: 'DELETE', path: `/api/projects/${id}` })
    const { rows } = await world.server.database.pool.query(
      'select action from audit_log where project_id = $1 order by id',
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['create', 'create', 'delete'])
  })

  it('entries of a deleted user keep their name', async () => {
    const leaver = await addUser(world.server, { email: 'leaver@example.com', role: 'admin' })
    const { environment_id } = world.home
    const { key } = await putFlag(world, environment_id)
    const path = `/api/environments/${environment_id}/flags/${key}`
    const body = { description: 'By the leaver' }
    await world.server.call({ method: 'PATCH', path, body, as: { cookie: leaver.cookie } })
    await asAdmin(world.server, { method: 'DELETE', path: `/api/users/${leaver.id}` })
    const [entry] = await asAdmin(world.server, {
      path: `/api/environments/${environment_id}/audit?flag_key=${key}`,
    })
    expect(entry.actor_email).toBe('leaver@example.com')
  })
})
