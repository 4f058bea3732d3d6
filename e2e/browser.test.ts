import { expect, test } from 'vitest'
import { eventually } from '../packages/server/test/harness/eventually.ts'
import { bearer, callApi, createKeyFor, environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { launchBrowser } from './harness/launch-browser.ts'
import { openStage } from './harness/open-stage.ts'
import { receiveReports } from './harness/receive-reports.ts'
import { servePage } from './harness/serve-page.ts'
import { startServer } from './harness/start-server.ts'

const FLAG = 'new-checkout'

test('a page of another origin connects with a client key and follows the flag live', async (context) => {
  const browser = await launchBrowser(context)
  const stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  const environment_id = await environmentOf(server.url)
  await putFlag(server.url, environment_id, { key: FLAG })
  const { key } = await createKeyFor(server.url, 'production', 'client')
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))

  await page.goto(await servePage(shopPage(server.url, key)))
  const checkout = page.locator('#checkout')
  await checkout.filter({ hasText: 'new' }).waitFor()

  await patchFlag(server.url, environment_id, FLAG, { is_enabled: false })
  await checkout.filter({ hasText: 'old' }).waitFor()

  await patchFlag(server.url, environment_id, FLAG, { is_enabled: true })
  await checkout.filter({ hasText: 'new' }).waitFor()
  expect(problems).toEqual([])
})

test('a client key receives no descriptions, owners or tags, and is refused everywhere else', async (context) => {
  const browser = await launchBrowser(context)
  const stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  const environment_id = await environmentOf(server.url)
  await putFlag(server.url, environment_id, {
    key: FLAG,
    description: 'not for the public',
    owner_email: 'owner@example.com',
    tags: ['internal'],
  })
  const { key } = await createKeyFor(server.url, 'production', 'client')
  const page = await browser.newPage()
  await page.goto(await servePage(shopPage(server.url, key)))
  await page.locator('#checkout').filter({ hasText: 'new' }).waitFor()

  const read = (path: string) =>
    page.evaluate(async ([url, authorization]) => (await fetch(url, { headers: { authorization } })).text(), [
      server.url + path,
      `Bearer ${key}`,
    ] as const)
  const snapshot = await read('/flags/snapshot')
  expect(JSON.parse(snapshot)).toMatchObject([{ key: FLAG, is_enabled: true }])
  for (const secret of ['description', 'owner', 'tags', 'not for the public', 'internal']) {
    expect(snapshot).not.toContain(secret)
  }

  // Browsers of another origin get no response from the control plane, and requests without an origin are
  // refused.
  const path = `/api/environments/${environment_id}/flags`
  await expect(read(path)).rejects.toThrow('Failed to fetch')
  for (const [method, at, body] of [
    ['GET', path, undefined],
    ['GET', `${path}/${FLAG}`, undefined],
    ['PATCH', `${path}/${FLAG}`, { is_enabled: false }],
    ['DELETE', `${path}/${FLAG}`, undefined],
    ['POST', path, { key: 'another', is_enabled: true }],
    ['GET', '/api/projects', undefined],
  ] as const) {
    expect(await callApi(server.url, method, at, body, bearer(key))).toMatchObject({ status: 403 })
  }
})

test('a page gets values that the server evaluates, without rules, and follows their changes', async (context) => {
  const browser = await launchBrowser(context)
  const stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  const environment_id = await environmentOf(server.url)
  const rules = [{ attribute: 'country', operator: 'equals', values: ['NO'] }]
  await putFlag(server.url, environment_id, { key: FLAG, rollout_percentage: 0, rules })
  const { key } = await createKeyFor(server.url, 'production', 'client')
  const page = await browser.newPage()
  const problems: string[] = []
  const received: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('response', async (response) => {
    if (response.url().endsWith('/flags')) received.push(await response.text().catch(() => ''))
  })

  const origin = await servePage(valuesPage(server.url, key))
  await page.goto(origin)
  const checkout = page.locator('#checkout')
  await checkout.filter({ hasText: 'new' }).waitFor()
  await patchFlag(server.url, environment_id, FLAG, { is_enabled: false })
  await checkout.filter({ hasText: 'old' }).waitFor()
  await patchFlag(server.url, environment_id, FLAG, { is_enabled: true })
  await checkout.filter({ hasText: 'new' }).waitFor()
  expect(problems).toEqual([])
  expect(received.length).toBeGreaterThan(0)
  for (const text of received) expect(text).not.toContain('country')

  // The next visit has the values of the last one when the server is gone.
  await server.stop()
  await page.goto(origin)
  await checkout.filter({ hasText: 'new' }).waitFor()
})

test('waiting impressions are sent when the page is left', async (context) => {
  const browser = await launchBrowser(context)
  const receiver = await receiveReports(FLAG)
  const page = await browser.newPage()
  const origin = await servePage(shopPage(receiver.url, 'sk_live_of_the_receiver'))
  await page.goto(origin)
  await page.locator('#checkout').filter({ hasText: 'new' }).waitFor()
  expect(receiver.impressions).toEqual([])

  await page.goto(`${origin}/elsewhere`)

  await eventually(() => receiver.impressions.length > 0)
  expect(receiver.impressions[0]).toMatchObject({ flag_key: FLAG, user_id: 'anna', value: 'true' })
  // Attributes stay in the page unless the client opts in.
  expect(receiver.impressions.every(({ context }) => context == null)).toBe(true)
})

/** A page that shows which checkout its visitor gets, by the values that the server evaluates. */
function valuesPage(url: string, sdkKey: string): string {
  return `<!doctype html><title>Shop</title><p id="checkout"></p>
<script type="module">
import { createClient } from '/values.js'
const cache = {
  load: async () => localStorage.getItem('flags'),
  save: async (text) => localStorage.setItem('flags', text),
}
const values = createClient({ url: '${url}', sdkKey: '${sdkKey}', cache }).forUser('anna', { country: 'NO' })
const show = () => {
  checkout.textContent = values.isEnabled('${FLAG}') ? 'new' : 'old'
}
values.on('update', show)
await values.ready()
show()
</script>`
}

/** A page that shows which checkout its visitor gets. It would report impressions after an hour. */
function shopPage(url: string, sdkKey: string): string {
  return `<!doctype html><title>Shop</title><p id="checkout"></p>
<script type="module">
import { createClient } from '/sdk.js'
const client = createClient({ url: '${url}', sdkKey: '${sdkKey}', flushIntervalMs: 3_600_000 })
const show = () => {
  checkout.textContent = client.isEnabled('${FLAG}', 'anna', { country: 'NO' }) ? 'new' : 'old'
}
client.on('update', show)
await client.connect()
show()
</script>`
}
