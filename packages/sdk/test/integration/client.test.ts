import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../../server/test/harness/eventually.ts'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { type Client, type ClientOptions, createClient } from '../../src/index.ts'
import { fileCache } from '../../src/node.ts'
import { examplesOf, runExample } from '../unit/support/examples.ts'

let server: TestServer
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  for (const body of [
    { key: 'on', is_enabled: true },
    { key: 'new-checkout', is_enabled: true },
    { key: 'button-color', is_enabled: true, flag_type: 'string', default_value: 'green' },
    { key: 'colour', is_enabled: true, flag_type: 'string', default_value: 'blue' },
    { key: 'limits', is_enabled: true, flag_type: 'json', default_value: { seats: 3 } },
    { key: 'off', is_enabled: false, flag_type: 'string', default_value: 'a', disabled_value: 'b' },
  ]) {
    expect((await server.call({ path: `${environment}/flags`, body })).status).toBe(200)
  }
})
afterAll(() => server.close())

function started(options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ url: server.url, sdkKey: server.sdkKey, ...options })
  onTestFinished(() => client.close())
  return client
}

const change = async (key: string, body: object) =>
  expect((await server.call({ method: 'PATCH', path: `${environment}/flags/${key}`, body })).status).toBe(200)

it('the values of a server are the first answers of the browser', async () => {
  const onServer = started()
  await onServer.connect()
  const page = JSON.stringify(onServer.forUser('ann').dehydrate())
  expect(JSON.parse(page).revision).toBe(onServer.status.revision)

  const client = started({ connection: 'manual' })
  const flags = client.forUser('ann', {}, { initial: JSON.parse(page) })
  const read = () =>
    ['on', 'colour', 'limits', 'off'].map((key) => [flags.isEnabled(key), flags.getVariant(key)])
  const first = read()
  expect(first).toEqual([
    [true, true],
    [true, 'blue'],
    [true, { seats: 3 }],
    [false, 'b'],
  ])
  await client.connect()
  expect(read()).toEqual(first)
})

it('clients without a stream receive changes and send reports', async () => {
  const manual = started({ connection: 'manual' })
  const polling = started({ connection: 'poll', pollIntervalMs: 1_000 })
  await Promise.all([manual.connect(), polling.connect()])
  const flags = polling.forUser('ben')
  expect([manual.isEnabled('on', 'ben'), flags.isEnabled('on')]).toEqual([true, true])

  await change('on', { is_enabled: false })
  await eventually(async () => {
    await manual.refresh()
    return !manual.isEnabled('on', 'ben') && !flags.isEnabled('on')
  })
  await Promise.all([manual.flush(), polling.flush()])
  const { body } = await server.call({ path: `${environment}/impressions?user_id=ben` })
  expect(body.items.length).toBeGreaterThanOrEqual(4)
  await change('on', { is_enabled: true })
})

it('a client starts from its cache while no server responds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'burgee-sdk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const cache = fileCache(join(folder, 'flags.json'))
  const first = started({ cache })
  await first.connect()
  await first.close()

  const unavailable: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))
  const second = started({ cache, fetch: unavailable })
  await second.connect()
  expect([second.getVariant('colour', 'u'), second.status.isReady]).toEqual(['blue', false])
})

it('an address that is no Burgee server and a refused key are explained', async () => {
  const wrongUrl = started({ connection: 'manual', url: `${server.url}/elsewhere` })
  await expect(wrongUrl.connect()).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('url'),
  })
  const wrongKey = started({ connection: 'manual', sdkKey: 'sk_live_unknown' })
  await expect(wrongKey.connect()).rejects.toMatchObject({ message: expect.stringContaining('SDK key') })
})

it('the first example of the README runs', async () => {
  const [example = ''] = examplesOf(await readFile(new URL('../../README.md', import.meta.url), 'utf8'))
  let isShown = false
  await runExample(
    example.replace('https://flags.example.com', server.url),
    { '@burgee/sdk': { createClient } },
    {
      process: { env: { BURGEE_SDK_KEY: server.sdkKey } },
      user: { id: 'reader', plan: 'pro' },
      showNewCheckout: () => {
        isShown = true
      },
    },
  )
  const { body } = await server.call({ path: `${environment}/impressions?user_id=reader` })
  const colors = body.items.filter(({ flag_key }: { flag_key: string }) => flag_key === 'button-color')
  expect([isShown, colors.length]).toEqual([true, 1])
})
