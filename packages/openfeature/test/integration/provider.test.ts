import { createClient } from '@burgee/sdk'
import {
  ComparisonStrategy,
  InMemoryProvider,
  MultiProvider,
  OpenFeature,
  ProviderEvents,
} from '@openfeature/server-sdk'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../../server/test/harness/eventually.ts'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { BurgeeProvider } from '../../src/server.ts'
import { startProxy, startSilentServer } from '../harness/unreachable-servers.ts'

let server: TestServer
let environment: string
beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  for (const key of ['first', 'second'])
    expect(
      await server.call({ path: `${environment}/flags`, body: { key, is_enabled: true } }),
    ).toMatchObject({ status: 200 })
})
afterAll(() => server.close())
afterEach(() => OpenFeature.clearProviders())

it('a provider whose cache and transport never respond becomes an error, and closes', async () => {
  const never = () => new Promise<never>(() => {})
  const options = {
    url: server.url,
    sdkKey: server.sdkKey,
    fetch: never,
    cache: { load: never, save: never },
  }
  const provider = new BurgeeProvider(options, { initializeTimeoutMs: 100 })
  await expect(provider.initialize()).rejects.toThrow('no flags within 100 ms')
  provider.track('bought', { targetingKey: 'u' }, {})
  await provider.onClose()

  const refused = new BurgeeProvider({ ...options, fetch }, { initializeTimeoutMs: 20_000 })
  await refused.initialize()
  await refused.onClose()
})

/** Counts the events of a domain from its start. */
function watchEvents(domain: string) {
  const seen: [string, unknown?][] = []
  const client = OpenFeature.getClient(domain)
  client.addHandler(ProviderEvents.Ready, () => void seen.push(['ready']))
  client.addHandler(
    ProviderEvents.ConfigurationChanged,
    (details) => void seen.push(['changed', details?.flagsChanged]),
  )
  client.addHandler(ProviderEvents.Stale, () => void seen.push(['stale']))
  client.addHandler(ProviderEvents.Error, (details) => void seen.push(['error', details?.errorCode]))
  return { client, seen }
}

it('handlers run once for the start, a change, a loss and a return', async () => {
  const { client, seen } = watchEvents('events')
  const proxy = await startProxy(server.url)
  const sdk = createClient({ url: proxy.url, sdkKey: server.sdkKey })
  onTestFinished(() => sdk.close())
  await OpenFeature.setProviderAndWait('events', new BurgeeProvider(sdk, { initializeTimeoutMs: 60_000 }))
  expect(seen).toEqual([['ready']])
  await server.call({ method: 'PATCH', path: `${environment}/flags/first`, body: { is_enabled: false } })
  await eventually(() => seen.length === 2)
  expect(seen[1]).toEqual(['changed', ['first']])
  expect(await client.getBooleanValue('first', true)).toBe(false)
  await proxy.close()
  await eventually(() => seen.some(([name]) => name === 'stale'))
  // The last flags stay in use.
  expect(await client.getBooleanValue('second', false)).toBe(true)
})

it('a refused key is fatal, and a server that comes later makes the provider ready', async () => {
  const options = { url: server.url, sdkKey: 'no-key' }
  await expect(OpenFeature.setProviderAndWait('refused', new BurgeeProvider(options))).rejects.toThrow()
  expect(OpenFeature.getClient('refused').providerStatus).toBe('FATAL')

  const gone = await startSilentServer()
  await gone.close()
  const { client, seen } = watchEvents('late')
  const late = { url: gone.url, sdkKey: server.sdkKey }
  const retrying: typeof fetch = (input, init) => fetch(String(input).replace(gone.url, target), init)
  let target = gone.url
  const provider = new BurgeeProvider({ ...late, fetch: retrying }, { initializeTimeoutMs: 100 })
  await expect(OpenFeature.setProviderAndWait('late', provider)).rejects.toThrow()
  expect(client.providerStatus).toBe('ERROR')
  target = server.url
  await eventually(() => client.providerStatus === 'READY', 60_000)
  expect(seen.filter(([name]) => name === 'ready')).toHaveLength(1)
  expect(await client.getBooleanValue('second', false)).toBe(true)
})

it('tracking reports a goal event of the user', async () => {
  const sdk = createClient({ url: server.url, sdkKey: server.sdkKey })
  onTestFinished(() => sdk.close())
  await OpenFeature.setProviderAndWait('goals', new BurgeeProvider(sdk, { initializeTimeoutMs: 60_000 }))
  const client = OpenFeature.getClient('goals')
  client.track('purchase', { targetingKey: 'ada' }, { value: 49.9, currency: 'EUR' })
  await sdk.flush()
  const { rows } = await server.database.pool.query(
    'select event_key, user_id, value, context from goal_events where event_key = $1',
    ['purchase'],
  )
  expect(rows).toMatchObject([{ event_key: 'purchase', value: 49.9, context: { currency: 'EUR' } }])
})

it('beside the provider of another service, results that differ are counted and the old ones returned', async () => {
  for (const key of ['agreed', 'different'])
    await server.call({ path: `${environment}/flags`, body: { key, is_enabled: true } })
  const variants = { on: true, off: false }
  const old = new InMemoryProvider({
    agreed: { variants, defaultVariant: 'on', disabled: false },
    different: { variants, defaultVariant: 'off', disabled: false },
  })
  const differing: unknown[] = []
  // docs/openfeature.md, Migrating from another service
  const provider = new MultiProvider(
    [{ provider: old }, { provider: new BurgeeProvider({ url: server.url, sdkKey: server.sdkKey }) }],
    new ComparisonStrategy(old, (resolutions) => {
      differing.push(resolutions.map((one) => 'details' in one && [one.details.value, one.providerName]))
    }),
  )
  await OpenFeature.setProviderAndWait('migration', provider)
  const client = OpenFeature.getClient('migration')
  expect(await client.getBooleanValue('agreed', false, { targetingKey: 'ada' })).toBe(true)
  expect(differing).toEqual([])
  expect(await client.getBooleanValue('different', true, { targetingKey: 'ada' })).toBe(false)
  expect(differing).toEqual([
    [
      [false, 'in-memory'],
      [true, 'burgee'],
    ],
  ])
})
