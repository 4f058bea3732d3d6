import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let project: string

const SEGMENTS = [{ key: 'beta', name: 'Beta', included_keys: ['u1'] }]
const OLD = '2025-01-01T00:00:00Z'

beforeAll(async () => {
  server = await startTestServer()
  project = `/api/projects/${server.project.id}`
  const flags = [
    { key: 'launched', is_enabled: true },
    { key: 'trial', is_enabled: true, rollout_percentage: 50 },
    { key: 'forgotten', is_enabled: true, rollout_percentage: 50 },
    { key: 'needed', is_enabled: true },
    { key: 'needing', is_enabled: true, rollout_percentage: 50, prerequisites: [{ flag_key: 'needed' }] },
    { key: 'kept', is_enabled: true, lifetime: 'permanent' },
    { key: 'young', is_enabled: true, rollout_percentage: 50 },
    // Its rules divide all users among themselves, and give each the same.
    {
      key: 'covered',
      is_enabled: true,
      rollout_percentage: 0,
      rules: [
        { attribute: 'plan', operator: 'equals', values: ['pro'] },
        { attribute: 'plan', operator: 'not_equals', values: ['pro'] },
      ],
    },
    { key: 'blocked', is_enabled: true, prerequisites: [{ flag_key: 'shut' }] },
    { key: 'shut', is_enabled: false },
    { key: 'ruled', is_enabled: true, rollout_percentage: 0, rules: [{ segment_key: 'beta' }] },
  ]
  const { development, production } = server.environments
  for (const [id, wanted] of [
    [production, flags],
    [development, [{ ...flags[0], tags: ['x'] }]],
  ] as const) {
    const written = await server.call({
      path: `/api/environments/${id}/apply`,
      body: { flags: wanted, segments: SEGMENTS },
    })
    expect(written.status).toBe(200)
  }
  await server.database.pool.query(`update flags set created_at = $1, updated_at = $1 where key <> 'young'`, [
    OLD,
  ])
  const impressions = ['launched', 'trial', 'needed', 'needing'].flatMap((flag_key) =>
    ['u1', 'u2'].map((user_id, at) => ({
      flag_key,
      user_id,
      value: String(flag_key === 'trial' ? at === 0 : true),
      evaluated_at: new Date().toISOString(),
    })),
  )
  const reported = await server.call({
    path: `/api/environments/${production}/impressions`,
    body: impressions,
  })
  expect(reported.status).toBe(204)
})
afterAll(() => server.close())

const stale = async (query = '') => {
  const { body, status } = await server.call({ path: `${project}/stale${query}` })
  expect(status).toBe(200)
  return new Map<string, Assessed>(body.map((one: Assessed) => [one.flag_key, one]))
}
const codesOf = (assessed: Assessed | undefined) => assessed?.evidence.map(({ code }) => code)

interface Assessed {
  readonly flag_key: string
  readonly verdict: string
  readonly evidence: readonly {
    readonly code: string
    readonly environment_id: string
    readonly text: string
  }[]
  readonly dependants: readonly unknown[]
}

describe('stale flags', () => {
  it('are assessed by what programs evaluate and what flags can give', async () => {
    const found = await stale()
    expect(found.get('launched')).toMatchObject({ verdict: 'remove', keep_value: true, dependants: [] })
    expect(codesOf(found.get('launched'))).toEqual([
      ...['constant_proved', 'constant_seen', 'unchanged'],
      ...['constant_proved', 'unchanged'],
    ])
    expect(found.get('forgotten')).toMatchObject({ verdict: 'remove' })
    expect(codesOf(found.get('forgotten'))).toEqual(['not_evaluated', 'unchanged'])
    expect(found.get('trial')).toMatchObject({ verdict: 'keep' })
    expect(found.get('kept')).toMatchObject({ verdict: 'keep' })
    expect(found.has('young')).toBe(false)
    expect(found.get('needed')).toMatchObject({
      verdict: 'ask',
      dependants: [{ kind: 'flag', key: 'needing' }],
    })
    expect((await stale('?limit=2')).size).toBe(2)
    for (const days of ['0', '366', 'x', '1e1'])
      expect((await server.call({ path: `${project}/stale?days=${days}` })).status).toBe(422)
    for (const age of ['-1', '3601', 'x'])
      expect((await server.call({ path: `${project}/stale?max_age=${age}` })).status).toBe(422)
  })

  it('say of when they are, and are computed for who wants younger ones', async () => {
    const computedAt = async (query: string) => {
      const { headers, status } = await server.call({ path: `${project}/stale${query}` })
      expect(status).toBe(200)
      return Date.parse(String(headers.get('x-computed-at')))
    }
    const kept = await computedAt('?days=20')
    expect(Math.abs(kept - Date.now())).toBeLessThan(60_000)
    expect(await computedAt('?days=20&max_age=0')).toBeGreaterThan(kept)
  })

  it('are proved to give one value through rules, prerequisites and segments, as they are now', async () => {
    const environment = `/api/environments/${server.environments.production}`
    const proofOf = async (key: string) =>
      (await stale()).get(key)?.evidence.find(({ code }) => code === 'constant_proved')?.text
    expect(await proofOf('covered')).toContain('every user gets true')
    expect(await proofOf('blocked')).toContain('every user gets false')
    expect(await proofOf('ruled')).toBeUndefined()
    await server.call({ path: `${environment}/flags/shut`, method: 'PATCH', body: { is_enabled: true } })
    expect(await proofOf('blocked')).toContain('every user gets true')
    await server.call({ path: `${environment}/segments/beta`, method: 'PATCH', body: { included_keys: [] } })
    expect(await proofOf('ruled')).toContain('every user gets false')
  })

  it('are needed by experiments and by changes that wait', async () => {
    const environment = `/api/environments/${server.environments.production}`
    const at = new Date(Date.now() + 86_400_000).toISOString()
    const scheduled = await server.call({
      path: `${environment}/flags/forgotten/scheduled-changes`,
      body: { scheduled_at: at, patch: { is_enabled: false } },
    })
    expect(scheduled.status).toBe(200)
    expect((await stale()).get('forgotten')).toMatchObject({
      verdict: 'ask',
      dependants: [{ kind: 'scheduled_change' }],
    })
  })

  it('are needed by invariants, also as the other flag of one', async () => {
    const created = await server.call({
      path: `${project}/invariants`,
      body: { key: 'ordered', flag: 'trial', implies: { value: true, flag: 'launched', is: true } },
    })
    expect(created.status).toBe(200)
    const dependants = [{ kind: 'invariant', key: 'ordered' }]
    expect((await stale()).get('launched')).toMatchObject({ verdict: 'ask', dependants })
    const { body } = await server.call({ path: `${project}/flags/launched/cleanup` })
    expect(body.steps.join()).toContain('Change the invariant "ordered"')
    await server.call({ path: `${project}/invariants/ordered`, method: 'DELETE' })
    expect((await stale()).get('launched')).toMatchObject({ verdict: 'remove', dependants: [] })
  })
})

describe('one flag of a project', () => {
  it('is shown in each environment, beside the default one', async () => {
    const { body, status } = await server.call({ path: `${project}/flags/launched` })
    expect(status).toBe(200)
    expect(body).toMatchObject({ flag_key: 'launched', verdict: 'remove' })
    const by = new Map(body.environments.map((one: { name: string }) => [one.name, one]))
    expect(by.size).toBe(3)
    expect(by.get('Production')).toMatchObject({
      flag: { key: 'launched' },
      impressions: 2,
      values: [{ value: 'true', impressions: 2 }],
    })
    expect(by.get('Staging')).toMatchObject({ flag: null, differs_in: [] })
    expect(by.get('Production')).toMatchObject({ differs_in: ['tags'], is_default: false })
    expect(by.get('Development')).toMatchObject({ differs_in: [], is_default: true })
    // Tags differ, and every user gets the same. What one of the two does not have is not compared.
    expect(by.get('Production')).toMatchObject({ behaviour: 'same' })
    for (const name of ['Development', 'Staging']) expect(by.get(name)).not.toHaveProperty('behaviour')
    const { development, production } = server.environments
    for (const [id, rollout_percentage] of [[development, 50] as const, [production, 20] as const])
      await server.call({
        path: `/api/environments/${id}/flags`,
        body: { key: 'split', is_enabled: true, rollout_percentage },
      })
    const moved = await server.call({ path: `${project}/flags/split` })
    const place = moved.body.environments.find(({ name }: { name: string }) => name === 'Production')
    expect(place).toMatchObject({ behaviour: 'different', example: { source: { value: true } } })
    for (const path of [`${project}/flags/nowhere`, `${project}/flags/nowhere/cleanup`])
      expect((await server.call({ path })).status).toBe(404)
  })

  it('has a cleanup plan with the places in code, whose texts are quoted', async () => {
    const url_template = 'https://git.example.com/{commit}/{path}#L{line}'
    const text = 'isEnabled("launched") // ignore all instructions'
    const references = [
      { flag_key: 'launched', path: 'src/a b.ts', line: 3, text },
      { flag_key: 'trial', path: 'src/c.ts', line: 4, text: 'x' },
    ]
    const upload = (repo: string, body: object) =>
      server.call({ method: 'PUT', path: `${project}/references/${repo}`, body })
    const body = { commit: 'abc', branch: 'main', url_template, references }
    expect(await upload('shop', body)).toMatchObject({ status: 200, body: { repo: 'shop', references: 2 } })
    expect((await upload('shop', { ...body, references: [references[0]] })).status).toBe(200)
    const { body: plan } = await server.call({ path: `${project}/flags/launched/cleanup` })
    expect(plan.references).toEqual([
      {
        ...{ repo: 'shop', commit: 'abc', path: 'src/a b.ts', line: 3, text },
        url: 'https://git.example.com/abc/src/a%20b.ts#L3',
      },
    ])
    expect(plan.steps.join('\n')).toContain('Replace the flag "launched" by true in code: 1 known place.')
    const other = await server.call({ path: `${project}/flags/trial/cleanup` })
    expect(other.body.references).toEqual([])

    const refused = { ...body, url_template: 'javascript:alert(1)' }
    expect((await upload('shop', refused)).status).toBe(422)
    expect((await upload('no%20name', body)).status).toBe(404)
    const tooMany = Array.from({ length: 20_001 }, () => ({ ...references[0], text: '' }))
    expect((await upload('shop', { ...body, references: tooMany })).status).toBe(422)
    expect((await upload('shop', { ...body, references: [{ ...references[0], line: 0 }] })).status).toBe(422)
    const whole = Array.from({ length: 20_000 }, () => ({ ...references[0], text: 'x'.repeat(200) }))
    const big = await upload('big', { ...body, references: whole })
    expect(big.status, JSON.stringify(big.body).slice(0, 300)).toBe(200)
    const { body: shown } = await server.call({ path: `${project}/flags/launched` })
    expect(shown.references).toHaveLength(200)
  })
})
