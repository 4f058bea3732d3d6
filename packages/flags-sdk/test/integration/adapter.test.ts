import { createClient } from '@burgee/sdk'
import { evaluate, flag } from 'flags/next'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { createBurgeeAdapter, getProviderData } from '../../src/index.ts'

const ORIGIN = 'https://flags.example.com/projects/p/environments/e'
const VERSIONS = { good: { api: 1 }, better: { api: 2 } }

describe('the adapter of the package flags', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer()
    await create({ key: 'checkout', description: 'The new checkout', default_value: true })
    await create({
      key: 'theme',
      flag_type: 'string',
      default_value: 'light',
      disabled_value: null,
      rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: 'dark' }],
    })
    await create({ key: 'limits', flag_type: 'json', default_value: VERSIONS.good, is_enabled: false })
    await create({
      key: 'api',
      flag_type: 'json',
      default_value: VERSIONS.good,
      variants: [{ value: VERSIONS.better, weight: 100 }],
      variant_names: VERSIONS,
    })
  })
  afterAll(() => server.close())

  it('flags are decided for the user that a request identifies, one by one and together', async () => {
    const { adapter, close } = openAdapter()
    const flags = {
      checkout: flag({ key: 'checkout', adapter: adapter.isEnabled() }),
      theme: flag({ key: 'theme', defaultValue: 'none', adapter: adapter.getVariant<string>() }),
      limits: flag({ key: 'limits', defaultValue: VERSIONS.good, adapter: adapter.getVariant<object>() }),
      unknown: flag({ key: 'unknown', defaultValue: true, adapter: adapter.isEnabled() }),
      off: flag({ key: 'unknown-too', adapter: adapter.isEnabled() }),
    }
    const expected = { checkout: true, theme: 'dark', limits: VERSIONS.good, unknown: true, off: false }

    expect(await flags.theme(requestOf('pro'))).toBe('dark')
    expect(await flags.theme(requestOf('free'))).toBe('light')
    expect(await flags.off(requestOf('pro'))).toBe(false)
    expect(await evaluate(flags, requestOf('pro'))).toEqual(expected)
    expect(flags.theme.origin).toBe(`${ORIGIN}/flags/theme`)
    await close()
  })

  it('flags with the same kind of answer are decided in one call', async () => {
    const { adapter, close } = openAdapter()
    const bulkDecide = vi.spyOn(adapter.isEnabled(), 'bulkDecide')
    const decide = vi.spyOn(adapter.isEnabled(), 'decide')
    const flags = [
      flag({ key: 'checkout', adapter: adapter.isEnabled() }),
      flag({ key: 'api', adapter: adapter.isEnabled }),
      flag({ key: 'theme', defaultValue: 'none', adapter: adapter.getVariant<string>() }),
    ] as const

    expect(await evaluate(flags, requestOf('pro'))).toEqual([true, true, 'dark'])
    expect(bulkDecide).toHaveBeenCalledTimes(1)
    expect(decide).not.toHaveBeenCalled()
    await close()
  })

  it('an unavailable server lets the default values apply', async () => {
    const client = createClient({ url: 'http://127.0.0.1:9', sdkKey: 'sk_live_nowhere' })
    const adapter = createBurgeeAdapter({ client, connectTimeoutMs: 1 })
    const theme = flag({ key: 'theme', defaultValue: 'none', adapter: adapter.getVariant<string>() })
    const checkout = flag({ key: 'checkout', adapter: adapter.isEnabled() })

    expect(await theme(requestOf('pro'))).toBe('none')
    expect(await checkout(requestOf('pro'))).toBe(false)
    await client.close()
  })

  it('the provider data names every flag with its values', async () => {
    const { url, sdkKey } = server
    expect(await getProviderData({ url: `${url}/`, sdkKey, origin: ORIGIN })).toEqual({
      definitions: {
        checkout: {
          description: 'The new checkout',
          options: [
            { value: false, label: 'Off' },
            { value: true, label: 'On' },
          ],
          origin: `${ORIGIN}/flags/checkout`,
        },
        theme: { options: [{ value: 'light' }, { value: 'dark' }], origin: `${ORIGIN}/flags/theme` },
        limits: { options: [{ value: VERSIONS.good }], origin: `${ORIGIN}/flags/limits` },
        api: {
          options: [
            { value: VERSIONS.good, label: 'good' },
            { value: VERSIONS.better, label: 'better' },
          ],
          origin: `${ORIGIN}/flags/api`,
        },
      },
      hints: [],
    })
  })

  it.each<[string, { sdkKey?: string; path?: string }, unknown]>([
    [
      'an unknown key',
      { sdkKey: 'sk_live_unknown' },
      'Burgee: The SDK key is not valid. Check BURGEE_SDK_KEY.',
    ],
    ['an address of something else', { path: '/api/openapi.json#' }, expect.stringContaining('Burgee: ')],
  ])('a failure is a hint: %s', async (_what, { path = '', sdkKey = server.sdkKey }, text) => {
    const data = await getProviderData({ url: server.url + path, sdkKey })
    expect(data).toEqual({ definitions: {}, hints: [{ key: 'burgee/snapshot', text }] })
  })

  function openAdapter() {
    const client = createClient({ url: server.url, sdkKey: server.sdkKey })
    const adapter = createBurgeeAdapter({
      client,
      origin: ORIGIN,
      identify: ({ cookies, headers }) => ({
        key: cookies.get('user')?.value,
        attributes: { plan: headers.get('x-plan') },
      }),
    })
    return { adapter, close: () => client.close() }
  }

  async function create(flag: object): Promise<void> {
    const path = `/api/environments/${server.environments.production}/flags`
    const { status } = await server.call({ path, body: { is_enabled: true, ...flag } })
    expect(status).toBe(200)
  }
})

/** Creates a request as the Next.js server and its middleware have it. */
const requestOf = (plan: string): Request =>
  new Request('http://localhost/', { headers: { cookie: 'user=anna', 'x-plan': plan } })
