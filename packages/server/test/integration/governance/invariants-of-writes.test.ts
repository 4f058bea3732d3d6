import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let environment: string
const SAFE = [{ attribute: 'plan', operator: 'equals', values: ['enterprise'] }]
const HARMFUL = [{ attribute: 'plan', operator: 'contains', values: ['e'] }]
const DEMAND = {
  key: 'sso-needs-enterprise',
  environments: ['production'],
  flag: 'sso',
  when: [{ attribute: 'plan', operator: 'not_equals', values: ['enterprise'] }],
  never: [true],
}

const invariants = () => `/api/projects/${server.project.id}/invariants`
const call = (method: string, path: string, body?: object, more: object = {}) =>
  server.call({ method, path: `/api/environments/${environment}/${path}`, ...(body && { body }), ...more })
const ruleOf = async () => (await call('GET', 'flags/sso')).body.rules

beforeAll(async () => {
  server = await startTestServer()
  environment = server.environments.production
})
afterAll(() => server.close())

beforeEach(async () => {
  await server.call({ method: 'DELETE', path: `${invariants()}/${DEMAND.key}` })
  const segments = [{ key: 'big', name: 'Big', rules: SAFE }]
  const flags = [
    { key: 'base', is_enabled: true, flag_type: 'boolean', prerequisites: [] },
    {
      ...{ key: 'sso', is_enabled: true, rollout_percentage: 0, prerequisites: [] },
      rules: [{ segment_key: 'big', attribute: '', operator: 'equals', values: [] }],
    },
    { key: 'other', is_enabled: true },
  ]
  expect(await call('POST', 'apply', { segments, flags })).toMatchObject({ status: 200 })
  const created = await server.call({ path: invariants(), body: DEMAND })
  expect(created.body).toMatchObject({ key: DEMAND.key })
})

const expectRefused = (answer: { status: number; body: unknown }) => {
  expect(answer).toMatchObject({
    status: 422,
    body: {
      error: expect.stringContaining('violates the invariant "sso-needs-enterprise"'),
      violations: [
        {
          ...{ key: DEMAND.key, verdict: 'violated' },
          counter_example: { flag_key: 'sso', value: true, user_key: expect.any(String) },
        },
      ],
    },
  })
}

describe('a write that violates an invariant is refused', () => {
  it.each<[string, string, string, object]>([
    ['a patch', 'PATCH', 'flags/sso', { rules: HARMFUL }],
    ['a rollout', 'PATCH', 'flags/sso', { rollout_percentage: 10 }],
    ['a replacement', 'POST', 'flags', { key: 'sso', is_enabled: true, rules: HARMFUL }],
    ['a segment', 'PATCH', 'segments/big', { rules: HARMFUL }],
    ['keys of a segment', 'PATCH', 'segments/big', { included_keys: ['u1'] }],
    ['an apply', 'POST', 'apply', { flags: [{ key: 'sso', rules: HARMFUL }] }],
    ['a dry run of an apply', 'POST', 'apply', { dry_run: true, flags: [{ key: 'sso', rules: HARMFUL }] }],
  ])('%s', async (_, method, path, body) => {
    const before = await ruleOf()
    expectRefused(await call(method, path, body))
    expect(await ruleOf()).toEqual(before)
  })

  it('a promotion, a restored revision and an undo', async () => {
    const staging = server.environments.staging
    const flag = { key: 'sso', is_enabled: true, rules: HARMFUL }
    expect((await server.call({ path: `/api/environments/${staging}/flags`, body: flag })).status).toBe(200)
    const promote = `/api/environments/${staging}/flags/sso/promote`
    expectRefused(await server.call({ path: promote, body: { target_env_id: environment } }))

    await server.call({ method: 'DELETE', path: `${invariants()}/${DEMAND.key}` })
    const broken = await call('PATCH', 'flags/sso', { rules: HARMFUL })
    const fixed = await call('PATCH', 'flags/sso', { rules: SAFE })
    expect(fixed.status).toBe(200)
    expect((await server.call({ path: invariants(), body: DEMAND })).status).toBe(200)
    expectRefused(await call('POST', 'flags/sso/restore', { revision: broken.body.revision }))
    const from = new Date(Date.now() - 60_000).toISOString()
    const window = `/api/projects/${server.project.id}/incident?from=${from}&environment_id=${environment}`
    const { body: incident } = await server.call({ path: window })
    expectRefused(await call('POST', 'revert', { audit_ids: [incident[0].audit_id] }))
  })

  it('one flag of a bulk action, by what its prerequisite was', async () => {
    await server.call({ method: 'DELETE', path: `${invariants()}/${DEMAND.key}` })
    await call('PATCH', 'flags/base', { is_enabled: false })
    await call('PATCH', 'flags/sso', { rules: HARMFUL, prerequisites: [{ flag_key: 'base' }] })
    expect((await server.call({ path: invariants(), body: DEMAND })).status).toBe(200)
    const { body } = await call('POST', 'flags/bulk', { action: 'enable', keys: ['other', 'base'] })
    expect(body.results).toMatchObject([
      { key: 'other', status: 200 },
      {
        key: 'base',
        status: 422,
        error: expect.stringContaining(DEMAND.key),
        violations: [{ key: DEMAND.key, verdict: 'violated' }],
      },
    ])
  })

  it('an approval, whose request stays pending, and a scheduled change, which ends with the error', async () => {
    const settings = `/api/projects/${server.project.id}/environments/${environment}/require-approval`
    const { cookie } = await addUser(server, { email: 'pat@example.com', role: 'admin' })
    await server.call({ path: settings, body: { require_approval: true } })
    const queued = await call('PATCH', 'flags/sso', { rules: HARMFUL }, { as: { cookie } })
    expect(queued.status).toBe(202)
    expectRefused(await call('POST', `change-requests/${queued.body.id}/approve`))
    expect((await call('GET', `change-requests/${queued.body.id}`)).body.status).toBe('pending')
    await server.call({ path: settings, body: { require_approval: false } })

    const scheduled_at = new Date(Date.now() + 1_000).toISOString()
    await call('POST', 'flags/sso/scheduled-changes', { scheduled_at, patch: { rules: HARMFUL } })
    await eventually(async () => {
      const { body } = await call('GET', 'flags/sso/scheduled-changes')
      return body.some(({ error }: { error: string | null }) => error?.includes('violates the invariant'))
    })
  })
})

describe('a write that violates no invariant is made', () => {
  it.each<[string, string, string, object]>([
    ['a harmless patch', 'PATCH', 'flags/sso', { rules: SAFE, description: 'For enterprises' }],
    ['another flag', 'PATCH', 'flags/other', { rules: HARMFUL }],
    ['a flag that is off', 'PATCH', 'flags/sso', { rules: HARMFUL, is_enabled: false }],
  ])('%s', async (_, method, path, body) => {
    expect((await call(method, path, body)).status).toBe(200)
  })

  it('with a warning where the invariant only warns', async () => {
    await server.call({
      path: `${invariants()}/${DEMAND.key}`,
      method: 'PATCH',
      body: { enforcement: 'warn' },
    })
    const warning = { code: 'invariant_violated', message: expect.stringContaining(DEMAND.key) }
    const patched = await call('PATCH', 'flags/sso', { rules: HARMFUL })
    expect(patched).toMatchObject({
      status: 200,
      body: { warnings: expect.arrayContaining([expect.objectContaining(warning)]) },
    })
    for (const [method, path, body] of [
      ['PATCH', 'segments/big', { rules: HARMFUL }],
      ['POST', 'apply', { flags: [{ key: 'sso', rollout_percentage: 50 }] }],
    ] as const) {
      await call('PATCH', 'flags/sso', {
        rules: [{ segment_key: 'big', attribute: '', operator: 'equals', values: [] }],
      })
      const answer = await call(method, path, body)
      expect(answer).toMatchObject({
        status: 200,
        body: { warnings: expect.arrayContaining([expect.objectContaining(warning)]) },
      })
    }
  })
})

describe('X-Override-Invariants', () => {
  const override = (reason: string) => ({ headers: { 'x-override-invariants': reason } })

  it('lets an admin of the project violate them, with an audit entry that says so', async () => {
    const { cookie, id } = await addUser(server, { email: 'mia@example.com' })
    const path = `/api/projects/${server.project.id}/members`
    await server.call({ path, body: { user_id: id, role: 'editor' } })
    const editor = await call(
      'PATCH',
      'flags/sso',
      { rules: HARMFUL },
      { as: { cookie }, ...override('Urgent') },
    )
    expect(editor).toMatchObject({ status: 403, body: { error: expect.stringContaining('override') } })
    await server.call({ method: 'PATCH', path: `${path}/${id}`, body: { role: 'admin' } })
    const reason = encodeURIComponent('Sale begins – agreed with Ann')
    const admin = await call(
      'PATCH',
      'flags/sso',
      { rules: HARMFUL },
      { as: { cookie }, ...override(reason) },
    )
    expect(admin.status).toBe(200)
    const { body } = await call('GET', 'audit?flag_key=sso')
    const [entry] = body
    expect(entry.metadata.override).toEqual({
      invariants: [DEMAND.key],
      reason: 'Sale begins – agreed with Ann',
    })
  })

  it('is needed by every further write that changes what users get, and by no other', async () => {
    const violated = await call('PATCH', 'flags/sso', { rules: HARMFUL }, override('Sale'))
    expect(violated.status).toBe(200)
    const texts = {
      description: 'Single sign-on',
      tags: ['login'],
      owner_email: 'mia@example.com',
    }
    expect(await call('PATCH', 'flags/sso', texts)).toMatchObject({ status: 200, body: texts })
    expect(
      await call('POST', 'flags', { key: 'sso', is_enabled: true, rollout_percentage: 0, rules: HARMFUL }),
    ).toMatchObject({
      status: 200,
      body: { description: null },
    })
    expectRefused(await call('PATCH', 'flags/sso', { rollout_percentage: 50 }))
    expectRefused(await call('PATCH', 'flags/sso', { description: 'Half', rollout_percentage: 50 }))
    expect(await call('PATCH', 'flags/sso', { rules: SAFE })).toMatchObject({ status: 200 })
  })

  it('is refused to SDK keys, and to admins of the project where every change needs approval', async () => {
    const key = await call(
      'PATCH',
      'flags/sso',
      { rules: HARMFUL },
      { as: { bearer: server.sdkKey }, ...override('Now') },
    )
    expect(key.status).toBe(403)
    const unneeded = await call(
      'PATCH',
      'flags/sso',
      { rules: SAFE },
      { as: { bearer: server.sdkKey }, ...override('Now') },
    )
    expect(unneeded.status).toBe(200)
  })

  it.each([['%20'], ['x'.repeat(501)], ['Now%00'], ['%0A%1b[31m']])(
    'a reason that is blank, too long or no text is 422: %o',
    async (reason) => {
      const { body, status } = await call('PATCH', 'flags/sso', { rules: SAFE }, override(reason))
      expect(status).toBe(422)
      expect(body.error).toContain('X-Override-Invariants')
    },
  )
})

describe('POST .../invariants/check', () => {
  const check = (body: object, as?: object) =>
    server.call({
      path: `${invariants()}/check`,
      body: { environment_id: environment, ...body },
      ...(as && { as: as as { cookie: string } }),
    })

  it('decides those of the project, also after changes, with a user and the steps', async () => {
    expect((await check({})).body).toEqual([{ key: DEMAND.key, verdict: 'holds' }])
    const changes = [{ flag_key: 'sso', operation: 'patch', patch: { rules: HARMFUL } }]
    const { body, status } = await check({ changes })
    expect(status).toBe(200)
    expect(body).toMatchObject([
      {
        ...{ key: DEMAND.key, verdict: 'violated', why: expect.any(String) },
        counter_example: { value: true, trace: { decided: 'rules' } },
      },
    ])
    expect((await check({})).body).toEqual([{ key: DEMAND.key, verdict: 'holds' }])
    const elsewhere = await check({ environment_id: server.environments.staging })
    expect(elsewhere.body).toEqual([])
  })

  it('decides given ones, and refuses wrong demands and changes', async () => {
    const given = { key: 'asked', flag: 'other', never: [true] }
    const answer = await check({ invariants: [given] })
    expect(answer.body).toMatchObject([
      { key: 'asked', verdict: 'violated', counter_example: { value: true } },
    ])
    const wrong = await check({ invariants: [{ ...given, only: [true] }] })
    expect(wrong).toMatchObject({ status: 422, body: { details: [{ path: '/invariants/0' }] } })
    const missing = [{ flag_key: 'nowhere', operation: 'archive' }]
    expect((await check({ changes: missing })).status).toBe(404)
    expect((await check({ environment_id: server.project.id })).status).toBe(422)
  })

  it('a server key checks its own environment', async () => {
    expect(
      (await check({ environment_id: server.environments.staging }, { bearer: server.sdkKey })).status,
    ).toBe(403)
  })
})

test('the impact of a change names the invariants that it would violate', async () => {
  const changes = (rules: object[]) => [{ segment_key: 'big', patch: { rules } }]
  const broken = await call('POST', 'impact', { changes: changes(HARMFUL) })
  expect(broken).toMatchObject({
    status: 200,
    body: { violations: [{ key: DEMAND.key, enforcement: 'block', counter_example: { value: true } }] },
  })
  const harmless = await call('POST', 'impact', { changes: changes(SAFE) })
  expect(harmless.body.violations).toEqual([])
  const other = await call('POST', 'impact', { changes: [{ flag_key: 'other', operation: 'archive' }] })
  expect(other.body.violations).toEqual([])
})
