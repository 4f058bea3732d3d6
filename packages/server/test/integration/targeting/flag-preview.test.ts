import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpDatabase } from '../../harness/dump-database.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

let server: TestServer
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

const put = (body: object) => server.call({ path: `${environment}/flags`, body })
const preview = (body: unknown) => server.call({ path: `${environment}/flags/preview`, body })

/** Waits until the events of earlier writes are processed. */
const allDelivered = () =>
  eventually(async () => {
    const events = server.database.db.selectFrom('domain_events').select('id')
    return (await events.where('fanned_out_at', 'is', null).execute()).length === 0
  })

const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }

describe('a preview of a flag', () => {
  it('a preview of a new flag has no before, its defaults, and each field as a change', async () => {
    const { body, status } = await preview({ key: 'fresh', is_enabled: true })

    expect(status).toBe(200)
    expect(body.before).toBeNull()
    expect(body.after).toEqual({
      key: 'fresh',
      is_enabled: true,
      rollout_percentage: null,
      description: null,
      rules: [],
      flag_type: 'boolean',
      default_value: true,
      disabled_value: false,
      variants: [],
      prerequisites: [],
      tags: [],
      owner_email: null,
      archived_at: null,
      revision: 0,
    })
    expect(body.changes).toContainEqual({ path: '/is_enabled', before: null, after: true })
    expect(body.changes.map(({ path }: { path: string }) => path)).not.toContain('/revision')
    expect(body.warnings).toEqual([])
  })

  it('a preview of an existing flag has its differences, with the current revision', async () => {
    const { body: stored } = await put({ key: 'known', is_enabled: true, rollout_percentage: 10 })

    const { body } = await preview({ key: 'known', is_enabled: true, rollout_percentage: 50, rules: [RULE] })

    expect(body.before).toEqual(stateOf(stored))
    expect(body.after.revision).toBe(stored.revision)
    expect(body.changes).toEqual([
      { path: '/rollout_percentage', before: 10, after: 50 },
      { path: '/rules', before: [], after: [RULE] },
    ])
  })

  it('a preview of an archived flag shows it unarchived, like the write', async () => {
    await put({ key: 'gone', is_enabled: true })
    const { body: archived } = await server.call({
      method: 'POST',
      path: `${environment}/flags/gone/archive`,
    })

    const { body } = await preview({ key: 'gone', is_enabled: true })

    expect(body.changes).toEqual([{ path: '/archived_at', before: archived.archived_at, after: null }])
  })

  it.each([
    { key: 'same', is_enabled: false },
    { key: 'same', is_enabled: true, rules: [RULE, { segment_key: 'nowhere' }], tags: ['a'] },
    { key: 'same', is_enabled: true, prerequisites: [{ flag_key: 'same' }, { flag_key: 'missing' }] },
    {
      key: 'same',
      is_enabled: true,
      description: null,
      descripton: 'misspelled',
      rules: [{ ...RULE, op: 1 }],
    },
    { key: 'same', is_enabled: true, flag_type: 'string', variants: [{ weight: 1, value: 'a', name: 'A' }] },
  ])('a preview of %o has the effect and the warnings of the write', async (flag) => {
    const { body: previewed } = await preview(flag)

    const { body: done } = await put(flag)

    const { warnings = [] } = done
    const { revision: _, ...stored } = stateOf(done)
    expect(previewed.after).toMatchObject(stored)
    expect(previewed.warnings).toEqual(warnings)
  })

  it.each([
    { key: 'bad key', is_enabled: true },
    { key: 'refused', is_enabled: true, rollout_percentage: 101 },
    { key: 'refused', is_enabled: 'yes' },
    { key: 'refused' },
    { key: 'refused', is_enabled: true, flag_type: 'integer', default_value: 'text' },
    { key: 'refused', is_enabled: true, rules: [{ attribute: 'plan' }] },
    { key: 'refused', is_enabled: true, variants: [{ weight: 1, value: true }] },
    [],
    null,
  ])('a preview of %o is refused like the write', async (flag) => {
    const previewed = await preview(flag)

    const refused = await server.call({ path: `${environment}/flags`, body: flag })

    expect(refused.status).toBe(422)
    expect([previewed.status, previewed.body]).toEqual([refused.status, refused.body])
  })

  it('a preview of a flag that is too large to send is refused like the write', async () => {
    const segment = (key: string, named: string) => ({
      path: `${environment}/segments`,
      body: { key, name: key, rules: Array.from({ length: 5_000 }, () => ({ segment_key: named })) },
    })
    await server.call(segment('vast-1', 'vast-2'))
    await server.call(segment('vast-2', 'nothing'))
    const flag = { key: 'vast', is_enabled: true, rules: [{ segment_key: 'vast-1' }] }

    const [previewed, refused] = [await preview(flag), await put(flag)]

    expect(refused.status).toBe(422)
    expect([previewed.status, previewed.body]).toEqual([refused.status, refused.body])
  })
})

describe('side effects of previews', () => {
  it('a preview changes no row of the database: no flag, revision, change, audit entry, event or request', async () => {
    await put({ key: 'kept', is_enabled: true })
    await allDelivered()
    const stored = () => dumpDatabase(server.database.pool)
    const before = await stored()

    expect((await preview({ key: 'kept', is_enabled: false })).status).toBe(200)
    expect((await preview({ key: 'never', is_enabled: true, unknown: 1 })).status).toBe(200)
    expect((await preview({ key: 'never', is_enabled: 1 })).status).toBe(422)

    expect(await stored()).toEqual(before)
  })

  it('a preview shows the change where approval is required, and requests none', async () => {
    const project = `/api/projects/${server.project.id}`
    await server.call({
      path: `${project}/environments/${server.environments.staging}/require-approval`,
      body: { require_approval: true, approval_scope: 'all' },
    })
    const staging = `/api/environments/${server.environments.staging}`
    await server.call({ path: `${staging}/flags`, body: { key: 'guarded', is_enabled: true } })

    const previewed = await server.call({
      path: `${staging}/flags/preview`,
      body: { key: 'guarded', is_enabled: false },
    })

    expect(previewed.status).toBe(200)
    expect(previewed.body.changes).toEqual([{ path: '/is_enabled', before: true, after: false }])
    expect((await server.call({ path: `${staging}/change-requests` })).body).toEqual([])
  })

  it('a preview sends nothing to SDKs', async () => {
    const stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${server.sdkKey}` })
    await stream.until(({ event }) => event === 'ready')
    const readyAt = stream.events.length

    await preview({ key: 'kept', is_enabled: false })
    await put({ key: 'previewed', is_enabled: true })

    await stream.until(({ data, event }) => event === 'update' && data.flag?.key === 'previewed')
    expect(stream.events.slice(readyAt)).toHaveLength(1)
    stream.close()
  })
})
