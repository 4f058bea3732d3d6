import type { ExceededBound } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../../../cli/test/harness/run.ts'
import { addUser } from '../../harness/add-user.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const HIDDEN_NAME = 'deploy\u202etoor'
const HOOK = 'https://hooks.example.com/services/T0/B0/X'
/** A small schema whose check of a list of 20,000 numbers takes too many steps. */
const SLOW_SCHEMA = { allOf: Array.from({ length: 60 }, () => ({ items: { type: 'number' } })) }
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
/** Rules whose values multiply with the elements of a list. */
const COSTLY_RULES = [
  {
    attribute: 'groups',
    operator: 'contains',
    values: Array.from({ length: 400 }, (_, at) => `value-${at}`.padEnd(8 + (at % 40), 'x')),
  },
]

let database: TestDatabase
let server: TestServer
let environment: string
let path: string
beforeAll(async () => {
  database = await createTestDatabase()
  server = await startTestServer({ database })
  environment = `/api/environments/${server.environments.production}`
  path = `/api/projects/${server.project.id}/exceeded-bounds`
})
afterAll(async () => {
  await server?.close()
  await database?.drop()
})

const list = async (as?: As): Promise<ExceededBound[]> => {
  const { body, status } = await server.call({ path, ...(as && { as }) })
  expect(status).toBe(200)
  return body
}
const names = (found: readonly ExceededBound[]) =>
  found.map(({ key, kind, resource }) => `${kind} ${resource}:${key}`).sort()

const EXPECTED = [
  'evaluation_bound flag:by-segment',
  'evaluation_bound flag:costly',
  'name segment:hidden',
  'name webhook:HOOK',
  'receivers webhooks:production',
  'value_schema flag:slow',
]

async function store(body: object, part = 'flags'): Promise<{ readonly id: string }> {
  const { body: stored, status } = await server.call({ path: `${environment}/${part}`, body })
  expect(status).toBe(200)
  return stored
}

/** Stores what exceeds each bound as earlier versions did: what is refused by now is written by SQL. */
async function storeEverything(): Promise<string> {
  const { pool } = database
  await store({ key: 'ordinary', is_enabled: true })
  await store({ key: 'costly', is_enabled: true, rules: COSTLY_RULES })
  await store({ key: 'group', name: 'Group', rules: COSTLY_RULES }, 'segments')
  await store({
    key: 'by-segment',
    is_enabled: true,
    rules: [{ operator: 'in_segment', segment_key: 'group' }],
  })
  const json = { is_enabled: true, flag_type: 'json' }
  await store({ ...json, key: 'quick', default_value: [1], value_schema: SLOW_SCHEMA })
  await store({ ...json, key: 'slow', default_value: numbers(20_000) })
  await pool.query("update flags set extensions = $1 where key = 'slow'", [
    JSON.stringify({ value_schema: SLOW_SCHEMA }),
  ])
  await store({ key: 'hidden', name: 'Hidden' }, 'segments')
  await pool.query("update segments set name = $1 where key = 'hidden'", [HIDDEN_NAME])
  await store({ key: 'german', name: 'Gr\u00fc\u00dfe \u6771\u4eac' }, 'segments')
  const hook = await store({ name: 'Hook', url: HOOK, secret: 'long enough for all' }, 'webhooks')
  await pool.query(
    `insert into webhooks (id, environment_id, name, url, enabled, after_event_id, created_at)
      select gen_random_uuid(), environment_id, 'Copy', url, false, after_event_id, created_at
      from webhooks, generate_series(1, 100) where id = $1`,
    [hook.id],
  )
  await pool.query('update webhooks set name = $1, url = $2 where id = $3', [
    HIDDEN_NAME,
    `${HOOK}\u2060`,
    hook.id,
  ])
  return hook.id
}

describe('what was stored before a bound and exceeds it', () => {
  let hook: string
  const expected = () => EXPECTED.map((name) => name.replace('HOOK', hook)).sort()

  it('is listed with what to do, and ordinary flags and names of any language are not', async () => {
    expect(await list()).toEqual([])
    hook = await storeEverything()
    const found = await list()
    expect(names(found)).toEqual(expected())
    const messages = Object.fromEntries(found.map(({ key, message }) => [key, message]))
    expect(messages).toMatchObject({
      slow: expect.stringContaining('takes too long to check; make it or the values smaller'),
      costly: expect.stringContaining('/rules/0: '),
      production: expect.stringContaining('101 webhooks, and at most 100'),
      hidden: expect.stringContaining('must not have invisible characters'),
    })
    expect(JSON.stringify(found)).not.toContain('\u202e')
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
  })

  it('is listed in pages', async () => {
    const paged: ExceededBound[] = []
    for (let cursor = ''; ; ) {
      const { body, headers } = await server.call({ path: `${path}?limit=4${cursor}` })
      paged.push(...body)
      const next = headers.get('x-next-cursor')
      if (next === null) break
      expect(body).toHaveLength(4)
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    expect(paged).toEqual(await list())
  })

  it('lists at most 1,000, of whatever kind', async () => {
    const { pool } = database
    await pool.query(
      `insert into segments (id, environment_id, key, name, rules, created_at)
        select gen_random_uuid(), environment_id, 'many-' || nth, name, rules, created_at
        from segments, generate_series(1, 1200) nth where key = 'hidden'`,
    )
    const found: ExceededBound[] = []
    for (let cursor = ''; ; ) {
      const { body, headers } = await server.call({ path: `${path}?limit=500${cursor}` })
      found.push(...body)
      const next = headers.get('x-next-cursor')
      if (next === null) break
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    await pool.query("delete from segments where key like 'many-%'")
    expect(found).toHaveLength(1_000)
    expect(new Set(found.map(({ id }) => id)).size).toBe(1_000)
    expect(names(await list())).toEqual(expected())
  })

  it('names of the workspace are for its admins, and environments for those who may read them', async () => {
    const { cookie, id } = await addUser(server, {
      email: 'settings@example.com',
      memberOf: { [server.project.id]: 'admin' },
    })
    await database.pool.query('update users set name = $1 where id = $2', [HIDDEN_NAME, id])
    expect(names(await list())).toContain(`name user:${id}`)
    expect(names(await list({ cookie }))).toEqual(expected())
    const role = { key: 'settings', name: 'Settings', permissions: ['write_project'] }
    expect((await server.call({ path: '/api/roles', body: role })).status).toBe(200)
    await database.pool.query('update project_members set role = $1 where user_id = $2', ['settings', id])
    expect(await list({ cookie })).toEqual([])
    await database.pool.query("update users set name = 'Good' where id = $1", [id])
  })

  it('is logged once by a start, each with its key', async () => {
    const other = await startTestServer({ database, setUp: false })
    try {
      const logged = () =>
        other
          .logged()
          .split('\n')
          .filter((line) => line.includes('"bound":'))
          .map((line) => JSON.parse(line))
      await eventually(() => logged().length >= EXPECTED.length)
      expect(
        logged()
          .map(({ bound, level, resource }) => `${level} ${bound} ${resource}`)
          .sort(),
      ).toEqual(expected().map((name) => `warn ${name}`))
      for (const { environment_id, project_id } of logged())
        expect([project_id, environment_id]).toEqual([server.project.id, server.environments.production])
    } finally {
      await other.close()
    }
  })

  it('is named by burgee doctor, with a token that may read the list', async () => {
    const doctor = async (role: 'admin' | 'viewer') => {
      const { cookie } = await addUser(server, {
        email: `${role}@example.com`,
        memberOf: { [server.project.id]: role },
      })
      const token = await server.call({
        path: '/api/tokens',
        body: { name: 'Doctor', scope: 'read_only' },
        as: { cookie },
      })
      const args = [
        'doctor',
        '--url',
        server.url,
        '--token',
        token.body.token,
        '--project',
        server.project.id,
      ]
      const { out } = await run([...args, '-o', 'json'])
      return JSON.parse(out).find(({ check }: { check: string }) => check === 'stored')
    }
    const { level, text } = await doctor('admin')
    expect(level).toBe('warning')
    expect(text).toContain('6 stored things beyond a bound')
    expect(text).toContain('flag slow (value_schema)')
    expect(await doctor('viewer')).toMatchObject({ level: 'skipped' })
  })

  it('leaves the list when it is reduced', async () => {
    const patch = async (part: string, body: object) =>
      expect((await server.call({ method: 'PATCH', path: `${environment}/${part}`, body })).status).toBe(200)
    await patch('flags/slow', { default_value: [1] })
    await patch('flags/costly', { rules: [] })
    await patch('segments/group', { rules: [] })
    await patch('segments/hidden', { name: 'Good' })
    await patch(`webhooks/${hook}`, { name: 'Good', url: HOOK })
    expect(names(await list())).toEqual(['receivers webhooks:production'])
    expect((await server.call({ method: 'DELETE', path: `${environment}/webhooks/${hook}` })).status).toBe(
      204,
    )
    expect(await list()).toEqual([])
  })
})
