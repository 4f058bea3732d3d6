import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let path: string

beforeAll(async () => {
  server = await startTestServer()
  path = `/api/projects/${server.project.id}/invariants`
  const flags = [
    { key: 'sso', is_enabled: true, rules: [{ attribute: 'plan', operator: 'equals', values: ['free'] }] },
    { key: 'quiet', is_enabled: false },
    { key: 'half', is_enabled: true, rollout_percentage: 50 },
  ]
  const apply = `/api/environments/${server.environments.production}/apply`
  expect((await server.call({ path: apply, body: { flags } })).status).toBe(200)
})
afterAll(() => server.close())

const create = (body: object) => server.call({ path, body })

describe('Invariants', () => {
  it('are created, listed, changed and deleted', async () => {
    const when = [{ attribute: 'plan', operator: 'equals', values: ['free'] }]
    const created = await create({ key: 'quiet-stays-off', flag: 'quiet', when, never: [true] })
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({ key: 'quiet-stays-off', when, never: [true], enforcement: 'block' })
    const again = await create({ key: 'quiet-stays-off', flag: 'quiet', never: [true] })
    expect(again.status).toBe(409)
    const one = `${path}/quiet-stays-off`
    const patched = await server.call({ path: one, method: 'PATCH', body: { only: [false], when: [] } })
    expect(patched.body).toMatchObject({ only: [false] })
    expect(patched.body).not.toHaveProperty('never')
    expect(patched.body).not.toHaveProperty('when')
    expect((await server.call({ path })).body).toEqual([patched.body])
    expect((await server.call({ path: one, method: 'DELETE' })).status).toBe(204)
    expect((await server.call({ path })).body).toEqual([])
  })

  it('is_set and is_not_set need no values in `when`, other operators do', async () => {
    for (const operator of ['is_set', 'is_not_set'] as const) {
      const demand = {
        key: `with-${operator}`,
        flag: 'quiet',
        when: [{ attribute: 'plan', operator }],
        never: [true],
      }
      const created = await create(demand)
      const when = [{ attribute: 'plan', operator, values: [] }]
      expect(created).toMatchObject({ status: 200, body: { when } })
      const one = `${path}/${demand.key}`
      const patch = { when: [{ attribute: 'team', operator }] }
      const patched = await server.call({ path: one, method: 'PATCH', body: patch })
      expect(patched).toMatchObject({ status: 200, body: { when: [{ attribute: 'team', values: [] }] } })
      const body = { environment_id: server.environments.production, invariants: [demand] }
      expect((await server.call({ path: `${path}/check`, body })).body).toMatchObject([{ verdict: 'holds' }])
      expect((await server.call({ path: one, method: 'DELETE' })).status).toBe(204)
    }
    const without = {
      key: 'x',
      flag: 'quiet',
      when: [{ attribute: 'plan', operator: 'equals' }],
      never: [true],
    }
    const details = [{ path: '/when/0/values', message: 'is required' }]
    expect(await create(without)).toMatchObject({ status: 422, body: { details } })
    const body = { environment_id: server.environments.production, invariants: [without] }
    expect(await server.call({ path: `${path}/check`, body })).toMatchObject({
      status: 422,
      body: { details: [{ path: '/invariants/0/when/0/values' }] },
    })
  })

  it('are refused with a user who shows the violation, unless they only warn', async () => {
    const when = [{ attribute: 'plan', operator: 'equals', values: ['free'] }]
    const demand = { key: 'no-sso-for-free', flag: 'sso', when, never: [true] }
    const { body, status } = await create(demand)
    expect(status).toBe(422)
    expect(body.error).toMatch(
      /violated in .*: the user "user-0" with the attributes \{"plan":"free"\} gets true/,
    )
    const counter_example = { user_key: 'user-0', attributes: { plan: 'free' }, flag_key: 'sso', value: true }
    const violation = { key: 'no-sso-for-free', verdict: 'violated', counter_example }
    expect(body.violations).toMatchObject([violation])
    expect((await create({ ...demand, enforcement: 'warn' })).status).toBe(200)
    const one = `${path}/no-sso-for-free`
    const blocked = await server.call({ path: one, method: 'PATCH', body: { enforcement: 'block' } })
    expect(blocked).toMatchObject({ status: 422, body: { violations: [violation] } })
    const elsewhere = { enforcement: 'block', environments: ['development'] }
    expect((await server.call({ path: one, method: 'PATCH', body: elsewhere })).status).toBe(200)
  })

  it.each([
    [{ flag: 'half', at_most: { percent: 49, value: true } }, 422],
    [{ flag: 'half', at_most: { percent: 50, value: true } }, 200],
    [{ flag: 'sso', implies: { value: true, flag: 'quiet', is: true } }, 422],
    [{ flag: 'quiet', implies: { value: true, flag: 'sso', is: true } }, 200],
    [{ flag: 'quiet', shape: { exists: true, disabled_value: true } }, 422],
    [{ flag: 'quiet', environments: ['production'], shape: { exists: true, flag_type: 'boolean' } }, 200],
    [{ flag: 'missing', only: [1] }, 200],
    [{ flag: 'sso' }, 422],
    [{ flag: 'sso', never: ['x'], only: [true, false] }, 422],
    [{ flag: 'sso', never: ['x'], environments: ['nowhere'] }, 422],
    [{ flag: 'sso', never: [] }, 422],
    [{ flag: 'sso', shape: {} }, 422],
    [{ flag: 'sso', at_most: { percent: 101, value: true } }, 422],
    [{ flag: 'sso', never: Array.from({ length: 101 }, (_, index) => index) }, 422],
    [{ flag: 'sso', never: ['x'.repeat(70_000)] }, 413],
    [{ flag: 'sso', never: ['x'], when: [{ attribute: 'a', operator: 'matches', values: ['('] }] }, 422],
  ])('with %j are answered with %d', async (demand, status) => {
    const answer = await create({ key: 'each', ...demand })
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    if (status === 200) await server.call({ path: `${path}/each`, method: 'DELETE' })
  })
})
