import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../../sdk/src/index.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  const variants = ['blue', 'green'].map((value) => ({ value, weight: 1 }))
  for (const body of [
    { key: 'on', is_enabled: true },
    { key: 'colour', is_enabled: true, flag_type: 'string', default_value: 'blue', variants },
  ]) {
    expect((await server.call({ path: `${environment}/flags`, body })).status).toBe(200)
  }
})
afterAll(() => server.close())

/** Returns the reports of a program that evaluates both flags and reaches a goal. */
async function useFlags(user: string, options: { sendEvaluationContext?: boolean } = {}) {
  const client = createClient({ url: server.url, sdkKey: server.sdkKey, ...options })
  await client.connect()
  const attributes = { plan: 'pro', email: `${user}@example.com` }
  client.isEnabled('on', user, attributes)
  const colour = client.getVariant('colour', user, attributes, 'none')
  client.track('bought', user, { value: 12.5 })
  await client.close()
  const { body } = await server.call({ path: `${environment}/impressions?user_id=${user}` })
  return { colour, items: body.items as { flag_key: string; value: string; context: unknown }[] }
}

describe('reports of the SDK', () => {
  it('impressions of isEnabled and getVariant and goals of track are in the results', async () => {
    const { colour, items } = await useFlags('ann')
    expect(items.map(({ flag_key, value }) => [flag_key, value]).sort()).toEqual([
      ['colour', colour],
      ['on', 'true'],
    ])
    expect((await server.call({ path: `${environment}/events/keys` })).body).toMatchObject([
      { event_key: 'bought', total: 1, unique_users: 1 },
    ])
    const body = { name: 'x', key: 'x', flag_key: 'colour', goal_event_key: 'bought' }
    await server.call({ path: `${environment}/experiments`, body })
    expect((await server.call({ path: `${environment}/experiments/x/results` })).body).toMatchObject({
      variants: [{ variant: colour, exposed: 1, converted: 1 }],
    })
  })

  it('reports contain attributes only with sendEvaluationContext', async () => {
    const contexts = (items: readonly { context: unknown }[]) => items.map(({ context }) => context)
    expect(contexts((await useFlags('bob')).items)).toEqual([null, null])
    const attributes = { plan: 'pro', email: 'cy@example.com' }
    const { items } = await useFlags('cy', { sendEvaluationContext: true })
    expect(contexts(items)).toEqual([attributes, attributes])
  })
})
