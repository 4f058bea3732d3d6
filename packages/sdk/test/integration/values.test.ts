import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../../server/test/harness/eventually.ts'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { createKey } from '../../../server/test/reports/client-key.ts'
import { createClient, type UserValues, type ValuesClientOptions } from '../../src/values.ts'
import { examplesOf, runExample } from '../unit/support/examples.ts'

let server: TestServer
let environment: string
let sdkKey: string

const PRO = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  ;({ bearer: sdkKey } = await createKey(server, server.environments.production, 'client'))
  for (const body of [
    { key: 'pro-only', is_enabled: true, rollout_percentage: 0, rules: PRO },
    { key: 'off', is_enabled: false },
    { key: 'colour', is_enabled: true, flag_type: 'string', default_value: 'blue' },
    { key: 'off-colour', is_enabled: false, flag_type: 'string', disabled_value: 'grey' },
    { key: 'limits', is_enabled: true, flag_type: 'json', default_value: { seats: 3 } },
    { key: 'unset', is_enabled: true, flag_type: 'json' },
    { key: 'closed', is_enabled: true, flag_type: 'json', default_value: [1], rollout_percentage: 0 },
    { key: 'secret', is_enabled: true, client_visible: false },
  ]) {
    expect((await server.call({ path: `${environment}/flags`, body })).status).toBe(200)
  }
})
afterAll(() => server.close())

const change = async (key: string, body: object) =>
  expect((await server.call({ method: 'PATCH', path: `${environment}/flags/${key}`, body })).status).toBe(200)

/** The values of a user, with the keys of their updates. */
function valuesOf(
  userKey: string | null,
  attributes: object = {},
  options: Partial<ValuesClientOptions> = {},
): { values: UserValues; updates: string[][]; errors: string[] } {
  const client = createClient({ url: server.url, sdkKey, ...options })
  const values = client.forUser(userKey, { ...attributes })
  onTestFinished(() => values.close())
  const updates: string[][] = []
  const errors: string[] = []
  values.on('update', ({ flagKeys }) => updates.push([...flagKeys].sort()))
  values.on('error', ({ message }) => errors.push(message))
  return { values, updates, errors }
}

it('values are those of the user, and nothing is known before they arrive', async () => {
  const { values, updates, errors } = valuesOf('ann', { plan: 'pro' })
  const read = () =>
    ['pro-only', 'off', 'colour', 'off-colour', 'limits', 'unset', 'closed', 'secret', 'unknown'].map(
      (key) => [key, values.isEnabled(key), values.getVariant(key, 'fallback')],
    )
  expect(read().every(([, isOn, value]) => isOn === false && value === 'fallback')).toBe(true)
  await values.ready()
  expect(read()).toEqual([
    ['pro-only', true, true],
    ['off', false, false],
    ['colour', true, 'blue'],
    ['off-colour', false, 'grey'],
    ['limits', true, { seats: 3 }],
    ['unset', true, 'fallback'],
    ['closed', false, 'fallback'],
    ['secret', false, 'fallback'],
    ['unknown', false, 'fallback'],
  ])
  expect(updates).toEqual([['closed', 'colour', 'limits', 'off', 'off-colour', 'pro-only', 'unset']])
  expect(errors).toEqual([])
})

it('changes arrive while the values are open, also one from before the stream', async () => {
  // The change is made after the first response and before the stream is requested.
  let changed: Promise<unknown> | null = null
  const { values, updates, errors } = valuesOf(
    'ben',
    {},
    {
      fetch: async (...request) => {
        if (String(request[0]).endsWith('/events')) {
          changed ??= change('colour', { default_value: 'red' })
          await changed
        }
        return fetch(...request)
      },
    },
  )
  await values.ready()
  await eventually(() => values.getVariant('colour') === 'red')
  await change('colour', { default_value: 'green' })
  await eventually(() => values.getVariant('colour') === 'green')
  await change('off', { is_enabled: true })
  await eventually(() => values.isEnabled('off'))
  await change('off', { is_enabled: false })
  await eventually(() => !values.isEnabled('off'))
  expect(updates.slice(1)).toEqual([['colour'], ['colour'], ['off'], ['off']])
  expect(errors).toEqual([])

  values.close()
  await change('colour', { default_value: 'blue' })
  expect(values.getVariant('colour')).toBe('green')
})

it('another user has other values, and none of those before', async () => {
  const { values, updates } = valuesOf('ann', { plan: 'pro' })
  await values.ready()
  expect(values.isEnabled('pro-only')).toBe(true)
  values.setUser('ann', { plan: 'pro' })
  expect(values.isEnabled('pro-only')).toBe(true)

  values.setUser('ben', { plan: 'free' })
  expect([values.userKey, values.attributes]).toEqual(['ben', { plan: 'free' }])
  expect([values.isEnabled('pro-only'), values.getVariant('colour')]).toEqual([false, null])
  await values.ready()
  expect([values.isEnabled('pro-only'), values.getVariant('colour')]).toEqual([false, 'blue'])
  expect(updates.map(({ length }) => length)).toEqual([7, 7, 7])
})

it('a cache has the values of the same user while the server is unavailable', async () => {
  let saved: string | null = null
  const cache = {
    load: async () => saved,
    save: async (text: string) => {
      saved = text
    },
  }
  const online = valuesOf('ann', { plan: 'pro' }, { cache })
  await online.values.ready()
  await eventually(() => saved !== null)
  expect(saved).not.toContain(sdkKey)
  online.values.close()

  const url = 'http://127.0.0.1:1'
  const again = valuesOf('ann', { plan: 'pro' }, { cache, url })
  await again.values.ready()
  expect([again.values.isEnabled('pro-only'), again.values.getVariant('colour')]).toEqual([true, 'blue'])
  expect(again.errors.length).toBeGreaterThan(0)

  for (const [user, key] of [
    ['ben', sdkKey],
    ['ann', server.sdkKey],
  ] as const) {
    const other = valuesOf(user, { plan: 'pro' }, { cache, url, sdkKey: key })
    await expect(other.values.ready({ timeoutMs: 300 })).rejects.toThrow('no values within 300 ms')
    expect(other.values.isEnabled('pro-only')).toBe(false)
  }
})

it('a key that is not accepted rejects, and later values need no new start', async () => {
  const refused = valuesOf('ann', {}, { sdkKey: 'sk_live_of_nobody' })
  await expect(refused.values.ready()).rejects.toMatchObject({ status: 401 })
  await expect(refused.values.ready()).rejects.toMatchObject({ status: 401 })
  expect(refused.errors[0]).toContain('the SDK key is not accepted')

  expect(() => createClient({ url: server.url, sdkKey: 'sk\u200b' })).toThrow('hidden characters')
  expect(() => createClient({ url: '', sdkKey })).toThrow(TypeError)
})

it('nothing is reported', async () => {
  const paths: string[] = []
  const { values } = valuesOf(
    'ann',
    {},
    {
      fetch: (...request) => {
        paths.push(new URL(String(request[0])).pathname)
        return fetch(...request)
      },
    },
  )
  await values.ready()
  values.isEnabled('colour')
  values.getVariant('unknown', 1)
  await eventually(() => paths.length === 2)
  expect(paths).toEqual(['/ofrep/v1/evaluate/flags', '/ofrep/v1/events'])
})

it('attributes that are no JSON are an error, and the next user has values', async () => {
  const { values, errors } = valuesOf('ann', { number: 1n })
  await eventually(() => errors.length > 0)
  values.setUser('ann', { plan: 'pro' })
  await values.ready()
  expect(values.isEnabled('pro-only')).toBe(true)
})

it('the example of the page shows the values of a visitor', async () => {
  const { readFile } = await import('node:fs/promises')
  const page = await readFile(new URL('../../../../docs/sdk/browser.md', import.meta.url), 'utf8')
  const example = examplesOf(page).find((code) => code.includes('@burgee/sdk/values')) ?? ''
  const stored = new Map<string, string>()
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  }
  const rendered: unknown[] = []
  const opened: UserValues[] = []
  onTestFinished(() => {
    for (const values of opened) values.close()
  })
  await runExample(
    example,
    {
      '@burgee/sdk/values': {
        createClient: (options: ValuesClientOptions) => {
          const client = createClient({ ...options, url: server.url, sdkKey })
          return {
            forUser(...user: Parameters<typeof client.forUser>) {
              const values = client.forUser(...user)
              opened.push(values)
              return values
            },
          }
        },
      },
    },
    {
      localStorage,
      account: { id: 'ann', plan: 'pro' },
      document: {
        body: { classList: { toggle: (name: string, isOn: boolean) => rendered.push([name, isOn]) } },
      },
    },
  )
  expect(opened).toHaveLength(1)
  expect(rendered.at(-1)).toEqual(['new-checkout', false])
  await eventually(() => stored.size === 1)
})
