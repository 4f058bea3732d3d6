import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnvironmentCalls } from '../../governance/environment-calls.ts'
import { createPeople } from '../../governance/people.ts'
import { dumpDatabase } from '../../harness/dump-database.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

const apply = (body: object) => server.call({ path: `${environment}/apply`, body })
const readFlag = async (key: string) => (await server.call({ path: `${environment}/flags/${key}` })).body
const putFlag = (key: string, more: object = {}) =>
  server.call({ path: `${environment}/flags`, body: { key, is_enabled: true, ...more } })
const countWaitingEvents = async () => {
  const waiting = 'select count(*)::int as waiting from domain_events where fanned_out_at is null'
  const { rows } = await server.database.pool.query<{ waiting: number }>(waiting)
  return rows[0]?.waiting
}
const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }

describe('an apply', () => {
  it('with a read_only token is a dry run, or is refused', async () => {
    const token = { name: 'Plan', scope: 'read_only' }
    const bearer = (await server.call({ path: '/api/tokens', body: token })).body.token
    const call = (what: string, body: object) =>
      server.call({ path: `${environment}/${what}`, body, as: { bearer } })
    const flags = [{ key: 'planned', is_enabled: true }]

    const planned = await call('apply', { flags, dry_run: true })
    expect(planned.status).toBe(200)
    expect(planned.body).toMatchObject({ dry_run: true, changes: [{ key: 'planned', action: 'create' }] })
    for (const dry_run of [false, undefined])
      expect((await call('apply', { flags, dry_run })).status).toBe(403)
    expect((await readFlag('planned')).error).toBe('No such flag.')

    await putFlag('planned')
    const path = `${environment}/audit?flag_key=planned`
    const audit_ids = [(await server.call({ path })).body[0].id]
    expect((await call('revert', { audit_ids, dry_run: true })).body).toMatchObject({ dry_run: true })
    expect((await call('revert', { audit_ids })).status).toBe(403)
    expect((await readFlag('planned')).is_enabled).toBe(true)
  })

  it('warns of unknown fields of its body and of what it leaves as it is', async () => {
    await apply({ segments: [{ key: 'known', name: 'Known' }], flags: [{ key: 'known' }] })
    const { body, status } = await apply({
      invariants: [{ key: 'never-read' }],
      segments: [{ key: 'known', nam: 'Other' }],
      flags: [
        { key: 'known', rollout_percentge: 25, create: { is_enbled: true } },
        { key: 'unknown-parts', links: [{ title: 'A', url: 'https://a.example', label: 'B' }] },
      ],
    })
    expect(status).toBe(200)
    const pathsOf = ({ warnings }: { warnings: { code: string; path: string }[] }) =>
      warnings.map(({ code, path }) => `${code} ${path}`)
    expect(pathsOf(body)).toEqual([
      'unknown_field /invariants',
      'unknown_field /segments/0/nam',
      'unknown_field /flags/0/rollout_percentge',
      'unknown_field /flags/0/create/is_enbled',
    ])
    expect(body.changes.map(pathsOf)).toEqual([['unknown_field /links/0/label']])
    const still = await apply({ flags: [{ key: 'known' }] })
    expect(still.body).not.toHaveProperty('warnings')
  })

  it('leaves each flag with the audit entry of what changed it', async () => {
    await apply({
      segments: [{ key: 'traced', name: 'Traced' }],
      flags: [{ key: 'traced-dependent', rules: [{ segment_key: 'traced' }] }],
    })
    const { body } = await apply({
      segments: [{ key: 'traced', included_keys: ['ann'] }],
      flags: [{ key: 'traced-one' }, { key: 'traced-two' }],
    })
    const keys = ['traced-dependent', 'traced-one', 'traced-two']
    const evaluated = await server.call({
      path: `${environment}/evaluate`,
      body: { flag_keys: keys, revision: body.revision },
    })
    const log = (await server.call({ path: `${environment}/audit?limit=50` })).body
    const entryOf = new Map<number, { flag_key: string; metadata: { resource?: string } }>(
      log.map((entry: { id: number }) => [entry.id, entry]),
    )
    const named = evaluated.body.flags.map(
      ({ changed, flag_key }: { changed: { audit_id: number }; flag_key: string }) => {
        const entry = entryOf.get(changed.audit_id)
        return [flag_key, entry?.flag_key || entry?.metadata.resource]
      },
    )
    expect(named).toEqual([
      ['traced-dependent', expect.stringMatching(/^segment:/)],
      ['traced-one', 'traced-one'],
      ['traced-two', 'traced-two'],
    ])
  })

  it('creates segments and flags in any order, as one write with an audit entry each', async () => {
    const body = {
      name: 'team-a',
      flags: [
        { key: 'child', prerequisites: [{ flag_key: 'parent' }], rules: [{ segment_key: 'vip' }] },
        { key: 'parent', create: { is_enabled: true, rollout_percentage: 5 } },
      ],
      segments: [
        { key: 'vip', name: 'VIP', rules: [{ segment_key: 'staff' }] },
        { key: 'staff', name: 'Staff', included_keys: ['u1'] },
      ],
    }
    const { body: done, status } = await apply(body)
    expect(status).toBe(200)
    expect(done.changes.map((one: { key: string; action: string }) => [one.key, one.action])).toEqual([
      ['vip', 'create'],
      ['staff', 'create'],
      ['child', 'create'],
      ['parent', 'create'],
    ])
    expect(done.changes.flatMap((one: { warnings: object[] }) => one.warnings)).toEqual([])
    expect(await readFlag('child')).toMatchObject({ managed_by: 'team-a', is_enabled: false })
    expect(await readFlag('parent')).toMatchObject({ is_enabled: true, rollout_percentage: 5 })
    const { body: entries } = await server.call({ path: '/api/audit?limit=4' })
    expect(entries.map((entry: { metadata: { origin: string } }) => entry.metadata.origin)).toEqual(
      Array.from({ length: 4 }, () => 'apply'),
    )
    const again = await apply(body)
    expect(again.body.changes).toEqual([])
    expect(again.body.revision).toBe(done.revision)
  })

  it('leaves what the file does not say, and the fields for a creation, to the dashboard', async () => {
    await putFlag('night', { is_enabled: false, description: 'Kept', tags: ['a', 'b'] })
    await apply({
      flags: [{ key: 'night', rollout_percentage: 25, tags: ['c'], create: { is_enabled: true } }],
    })
    expect(await readFlag('night')).toMatchObject({
      ...{ is_enabled: false, description: 'Kept', tags: ['c'], rollout_percentage: 25 },
    })
  })

  it('prefers the share of the file to that of the creation, so that a second apply changes nothing', async () => {
    for (const [key, fields, create] of [
      ['whole', { rollout_percentage: 0 }, { rollout_thousandths: 500 }],
      ['fine-share', { rollout_thousandths: 12_500 }, { rollout_percentage: 90 }],
    ] as const) {
      const body = { flags: [{ key, ...fields, create }] }
      expect((await apply(body)).body.changes).toHaveLength(1)
      expect((await apply(body)).body.changes).toEqual([])
      expect(await readFlag(key)).toMatchObject(fields)
    }
  })

  it('replaces a written value as a whole, nulls inside it too', async () => {
    await putFlag('limits', { flag_type: 'json', default_value: { a: 1, b: 2 } })
    const wanted = { key: 'limits', default_value: { a: null, c: 3 } }
    const { body } = await apply({ flags: [wanted] })
    expect(body.changes).toHaveLength(1)
    expect(await readFlag('limits')).toMatchObject({ default_value: { a: null, c: 3 } })
    expect((await apply({ flags: [wanted] })).body.changes).toEqual([])
  })

  it('says in a dry run exactly what it does, and stores nothing', async () => {
    await putFlag('dry', { rules: [{ segment_key: 'later' }] })
    const body = {
      flags: [{ key: 'dry', rollout_percentage: 10 }, { key: 'dry-new' }],
      segments: [{ key: 'later', name: 'Later', rules: [RULE] }],
    }
    // The event of the creation is handed over meanwhile.
    await expect.poll(() => countWaitingEvents()).toBe(0)
    const before = await dumpDatabase(server.database.pool)
    const trial = await apply({ ...body, dry_run: true })
    expect(await dumpDatabase(server.database.pool)).toEqual(before)
    const done = await apply(body)
    const { impact, ...planned } = trial.body
    expect({ ...done.body, dry_run: true }).toEqual(planned)
    expect(impact).toMatchObject({ flags: [{ flag_key: 'dry' }, { flag_key: 'dry-new', hash_share: 100 }] })
    expect(done.body.changes).toHaveLength(3)
  })

  it('refuses with every problem, and changes nothing', async () => {
    const { body, status } = await apply({
      segments: [{ key: 'nameless' }],
      flags: [
        { key: 'fine' },
        { key: 'wrong', default_value: 'text' },
        { key: 'worse', variants: [{ weight: 1, value: true }] },
      ],
    })
    expect(status).toBe(422)
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
      '/segments/0/name',
      '/flags/1/default_value',
      '/flags/2/variants',
    ])
    expect((await server.call({ path: `${environment}/flags/fine` })).status).toBe(404)
  })

  it('refuses a flag that is listed twice', async () => {
    const { body, status } = await apply({ flags: [{ key: 'twice' }, { key: 'twice' }] })
    expect([status, body.details[0].path]).toEqual([422, '/flags/1/key'])
  })

  it('refuses a flag of another name until it may take it over', async () => {
    await apply({ name: 'one', flags: [{ key: 'owned' }] })
    const wanted = { name: 'two', flags: [{ key: 'owned', description: 'Mine' }] }
    const refused = await apply(wanted)
    expect([refused.status, refused.body.reason]).toEqual([409, 'managed_elsewhere'])
    expect((await apply({ ...wanted, take_over: true })).status).toBe(200)
    expect(await readFlag('owned')).toMatchObject({ managed_by: 'two', description: 'Mine' })
  })

  it('archives with prune only what the same name manages', async () => {
    await apply({ name: 'p', flags: [{ key: 'p-kept' }, { key: 'p-gone' }] })
    await putFlag('p-free')
    const { body } = await apply({ name: 'p', prune: true, flags: [{ key: 'p-kept' }] })
    expect(body.changes).toMatchObject([{ key: 'p-gone', action: 'archive' }])
    expect((await readFlag('p-gone')).archived_at).not.toBeNull()
    expect((await readFlag('p-free')).archived_at).toBeNull()
    expect((await apply({ prune: true, flags: [] })).status).toBe(422)
  })

  it('refuses when a flag was changed since the plan', async () => {
    await putFlag('moved')
    const wanted = { flags: [{ key: 'moved', rollout_percentage: 1 }, { key: 'moved-new' }] }
    const { body } = await apply({ ...wanted, dry_run: true })
    const flags = Object.fromEntries(
      body.changes.map((one: { key: string; base_revision: number }) => [one.key, one.base_revision]),
    )
    expect(flags['moved-new']).toBe(0)
    await putFlag('moved', { description: 'Changed' })
    expect((await apply({ ...wanted, if_revisions: { flags } })).status).toBe(412)
    const now = { ...flags, moved: (await readFlag('moved')).revision }
    expect((await apply({ ...wanted, if_revisions: { flags: now } })).status).toBe(200)
  })

  it('counts 10,000 users with attributes, whose list is longer than another body', async () => {
    const users = Array.from({ length: 10_000 }, (_, at) => ({
      user_key: `user-${at}`,
      attributes: { plan: at % 2 ? 'pro' : 'free', country: 'CH', age: at, note: 'x'.repeat(100) },
    }))
    expect(JSON.stringify(users).length).toBeGreaterThan(1024 * 1024)
    const flags = [{ key: 'many-users', is_enabled: true, rules: [RULE] }]
    const { body, status } = await apply({ flags, dry_run: true, users })
    expect(status).toBe(200)
    expect(body.impact).toMatchObject({ users: { known: 10_000 }, changed: { certain: 10_000 } })
  })

  it('takes flags, segments and revisions of 1 MiB together, as before', async () => {
    const long = (key: string) => ({ key, description: 'x'.repeat(600 * 1024) })
    const flags = await apply({ flags: [long('long-1'), long('long-2')], dry_run: true })
    expect(flags.status).toBe(413)
    expect(flags.body.error).toContain('1 MiB')
    const names = Array.from({ length: 60_000 }, (_, at) => [`${at}-${'x'.repeat(20)}`, 1])
    const revisions = await apply({ if_revisions: { flags: Object.fromEntries(names) }, dry_run: true })
    expect(revisions.status).toBe(413)
  })

  it('refuses more flags than its bound', async () => {
    const flags = Array.from({ length: 1001 }, (_, index) => ({ key: `f-${index}` }))
    expect((await apply({ flags })).status).toBe(422)
  })
})

describe('an apply where changes need approval', () => {
  it('creates new flags and opens one change request for each other one', async () => {
    const path = `/api/environments/${server.environments.staging}`
    const call = (body: object) => server.call({ path: `${path}/apply`, body })
    await call({ flags: [{ key: 'known' }] })
    await createEnvironmentCalls(server, server.environments.staging).require({ require_approval: true })
    const wanted = { flags: [{ key: 'known', is_enabled: true }, { key: 'fresh' }] }
    const trial = await call({ ...wanted, dry_run: true })
    expect([trial.status, trial.body.change_requests]).toEqual([200, undefined])
    const { body, status } = await call(wanted)
    expect(status).toBe(202)
    expect(body.changes).toMatchObject([
      { key: 'known', action: 'update', needs_approval: true },
      { key: 'fresh', action: 'create' },
    ])
    expect(body.change_requests).toMatchObject([{ flag_key: 'known' }])
    expect((await server.call({ path: `${path}/flags/known` })).body.is_enabled).toBe(false)
    expect((await server.call({ path: `${path}/flags/fresh` })).status).toBe(200)

    const again = await call(wanted)
    expect([again.status, again.body.change_requests]).toEqual([202, body.change_requests])
    const requests = await server.call({ path: `${path}/change-requests` })
    expect(requests.body).toHaveLength(1)
    const other = await call({ flags: [{ key: 'known', is_enabled: true, rollout_percentage: 5 }] })
    expect(other.body.change_requests[0].id).not.toBe(body.change_requests[0].id)
  })

  it('opens one for an edit that no merge patch expresses, and the approval stores it', async () => {
    const staging = createEnvironmentCalls(server, server.environments.staging)
    const call = (body: object) => staging.send('POST', '/apply', 'admin', body)
    const fields = { key: 'nested', flag_type: 'json', default_value: { limit: 1 } }
    await call({ flags: [fields] })
    const { body, status } = await call({ flags: [{ ...fields, default_value: { limit: null } }] })
    expect([status, body.changes[0].needs_approval]).toEqual([202, true])
    expect((await staging.get('nested')).body.default_value).toEqual({ limit: 1 })
    const { editor } = await createPeople(server)
    await staging.approve(body.change_requests[0].id, editor.as)
    expect((await staging.get('nested')).body.default_value).toEqual({ limit: null })
  })
})

describe('a single write to a flag that files manage', () => {
  const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code)

  it('succeeds with a warning, in the preview too, unless it takes the flag from them', async () => {
    const env_id = server.environments.development
    const at = `/api/environments/${env_id}`
    const flags = [{ key: 'managed', rollout_percentage: 10 }]
    await server.call({ path: `${at}/apply`, body: { name: 'checkout-team', flags } })
    const path = `${at}/flags/managed`
    const patched = await server.call({ method: 'PATCH', path, body: { rollout_percentage: 30 } })
    expect([patched.status, codes(patched.body)]).toEqual([200, ['managed_elsewhere']])
    expect(patched.body.warnings[0].message).toContain('Files of checkout-team manage this flag.')
    const whole = { key: 'managed', is_enabled: false, managed_by: 'checkout-team' }
    expect(codes((await server.call({ path: `${at}/flags/preview`, body: whole })).body)).toEqual([
      'managed_elsewhere',
    ])
    const again = { name: 'checkout-team', flags }
    const applied = await server.call({ path: `${at}/apply`, body: again })
    expect(applied.body.changes.flatMap(codes)).toEqual([])
    const taken = await server.call({ method: 'PATCH', path, body: { managed_by: null } })
    expect(codes(taken.body)).toEqual([])
  })
})
