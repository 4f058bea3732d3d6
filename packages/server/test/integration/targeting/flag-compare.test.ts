import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let comparePath: string

beforeAll(async () => {
  server = await startTestServer()
  comparePath = `/api/projects/${server.project.id}/compare`
  const { production, staging } = server.environments
  await put(staging, SAME)
  await put(staging, { ...CHECKOUT, rollout_percentage: 50, tags: ['a'] })
  await put(staging, { key: 'only-here', is_enabled: true })
  await put(staging, { key: 'archived-here', is_enabled: true })
  await put(staging, { key: 'archived-twice', is_enabled: true })
  await put(production, { key: 'filler', is_enabled: true })
  // Written in another order, so that its JSON text and its revision differ.
  await put(production, { ...SAME, default_value: { b: [1, { d: 2, c: 1 }], a: null } })
  await put(production, CHECKOUT)
  await put(production, { key: 'archived-here', is_enabled: true })
  await put(production, { key: 'archived-twice', is_enabled: true })
  await archive(staging, 'archived-here')
  await archive(staging, 'archived-twice')
  await archive(production, 'archived-twice')
})
afterAll(() => server.close())

const SAME = {
  key: 'same',
  is_enabled: true,
  flag_type: 'json',
  default_value: { a: null, b: [1, { c: 1, d: 2 }] },
  rules: [{ attribute: 'country', operator: 'equals', values: ['no'] }],
}
const CHECKOUT = {
  key: 'checkout',
  is_enabled: true,
  description: 'New checkout',
  rules: [
    { attribute: 'country', operator: 'equals', values: ['no', 'se'] },
    { attribute: 'plan', operator: 'equals', values: ['pro'] },
  ],
  tags: ['a', 'b'],
}

async function put(environment_id: string, body: object): Promise<void> {
  const { status } = await server.call({ path: `/api/environments/${environment_id}/flags`, body })
  expect(status).toBe(200)
}

async function archive(environment_id: string, key: string): Promise<void> {
  const path = `/api/environments/${environment_id}/flags/${key}`
  const body = { archived_at: new Date(0).toISOString() }
  expect((await server.call({ method: 'PATCH', path, body })).status).toBe(200)
}

const compare = (query: Record<string, string>, as: As = 'admin') =>
  server.call({ path: `${comparePath}?${new URLSearchParams(query)}`, as })

describe('GET compare', () => {
  it('compare has every flag of either environment by key, with the differences', async () => {
    const { production: target, staging: source } = server.environments
    const { body, status } = await compare({ source, target })
    expect(status).toBe(200)
    const archived_at = (await server.call({ path: `/api/environments/${source}/flags/archived-here` })).body
      .archived_at
    expect(body).toEqual({
      source,
      target,
      flags: [
        {
          key: 'archived-here',
          status: 'different',
          changes: [{ path: '/archived_at', source: archived_at, target: null }],
        },
        { key: 'archived-twice', status: 'same', changes: [] },
        {
          key: 'checkout',
          status: 'different',
          changes: [
            { path: '/rollout_percentage', source: 50, target: null },
            { path: '/tags', source: ['a'], target: ['a', 'b'] },
          ],
        },
        { key: 'filler', status: 'only_in_target', changes: [] },
        { key: 'only-here', status: 'only_in_source', changes: [] },
        { key: 'same', status: 'same', changes: [] },
      ],
    })
  })

  it('compare names differences inside a rule with a JSON pointer', async () => {
    const { development: target, staging: source } = server.environments
    const [first, second] = CHECKOUT.rules
    const rules = [
      { ...first, values: ['no', 'dk'] },
      { ...second, variant: true },
    ]
    await put(target, { ...CHECKOUT, rollout_percentage: 50, tags: ['a'], rules })
    const { body } = await compare({ source, target })
    expect(body.flags.find(({ key }: { key: string }) => key === 'checkout').changes).toEqual([
      { path: '/rules/0/values/1', source: 'se', target: 'dk' },
      { path: '/rules/1/variant', source: null, target: true },
    ])
  })

  it('compare decides whether flags behave the same, with a user who differs', async () => {
    const { production: target, staging: source } = server.environments
    const rule = (...values: string[]) => ({ attribute: 'team', operator: 'matches', values })
    await put(source, { key: 'merged', is_enabled: true, rollout_percentage: 0, rules: [rule('^a', 'b$')] })
    await put(target, {
      key: 'merged',
      is_enabled: true,
      rollout_percentage: 0,
      rules: [rule('b$'), rule('^a')],
    })
    const { body, status } = await compare({ source, target, behaviour: 'true' })
    expect(status).toBe(200)
    const flag = (key: string) => body.flags.find((each: { key: string }) => each.key === key)
    expect(flag('merged')).toMatchObject({ status: 'different', behaviour: 'same' })
    expect(flag('same')).toMatchObject({ status: 'same', behaviour: 'same' })
    const { behaviour, example } = flag('checkout')
    expect(behaviour).toBe('different')
    for (const [id, given] of [
      [source, example.source],
      [target, example.target],
    ]) {
      const { attributes, user_key } = example
      const { body: evaluated } = await server.call({
        path: `/api/environments/${id}/evaluate`,
        body: { user_key, attributes, flag_keys: ['checkout'] },
      })
      expect(evaluated.flags[0]).toMatchObject(given)
    }
  })

  it('compare of an environment with itself has no differences', async () => {
    const { staging } = server.environments
    const { body, status } = await compare({ source: staging, target: staging.toUpperCase() })
    expect(status).toBe(200)
    expect(body).toMatchObject({ source: staging, target: staging })
    expect(new Set(body.flags.map((flag: { status: string }) => flag.status))).toEqual(new Set(['same']))
    expect(body.flags).toHaveLength(6)
  })
})

describe('GET compare is refused', () => {
  it("compare is refused for another project's environments, whatever project a parameter names", async () => {
    const { production: target, staging: source } = server.environments
    const other = await otherProject()
    const plain = await compare({ source, target })
    expect((await compare({ source, target, project_id: other.project_id })).body).toEqual(plain.body)
    const { environment_id, project_id } = other
    expect((await compare({ source: environment_id, target: environment_id, project_id })).status).toBe(422)
  })

  it('compare is 404 for an unknown environment, before anything else is checked', async () => {
    const { staging } = server.environments
    const other = await otherProject()
    const unknown = randomUUID()
    expect((await compare({ source: unknown, target: staging })).status).toBe(404)
    expect((await compare({ source: staging, target: unknown })).status).toBe(404)
    expect((await compare({ source: unknown, target: other.environment_id })).status).toBe(404)
  })

  it('compare is 422 for an environment of another project', async () => {
    const { staging } = server.environments
    const { environment_id } = await otherProject()
    const { body, status } = await compare({ source: staging, target: environment_id })
    expect(status).toBe(422)
    expect(body.details).toEqual([expect.objectContaining({ path: '/target' })])
    expect((await compare({ source: environment_id, target: staging })).status).toBe(422)
  })

  it.each([[{}], [{ source: 'x' }], [{ source: randomUUID() }], [{ source: randomUUID(), target: '1' }]])(
    'compare is 422 when source or target are not ids: %o',
    async (query) => {
      expect((await compare(query as Record<string, string>)).status).toBe(422)
    },
  )

  it('compare is 404 for an unknown project, and 403 without a membership', async () => {
    const { production: target, staging: source } = server.environments
    const path = `/api/projects/${randomUUID()}/compare?source=${source}&target=${target}`
    expect((await server.call({ path })).status).toBe(404)
    const { cookie } = await addUser(server, { email: 'stranger@example.com' })
    expect((await compare({ source, target }, { cookie })).status).toBe(403)
  })

  it('compare is allowed for a viewer of the project', async () => {
    const { production: target, staging: source } = server.environments
    const memberOf = { [server.project.id]: 'viewer' } as const
    const { cookie } = await addUser(server, { email: 'viewer@example.com', memberOf })
    expect((await compare({ source, target }, { cookie })).status).toBe(200)
  })
})

async function otherProject(): Promise<{ environment_id: string; project_id: string }> {
  const body = { name: `Other ${randomUUID()}` }
  const answer = await server.call({ path: '/api/projects', body })
  return { environment_id: answer.body.environments[0].id, project_id: answer.body.id }
}
