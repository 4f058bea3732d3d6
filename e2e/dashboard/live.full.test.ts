import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const flagsOf = (slug: string) => `/api/environments/${server.environments[slug]}/flags`

test("another person's change, new flag and deletion appear without a reload", async (context) => {
  await server.call('POST', flagsOf('staging'), { key: 'shared', is_enabled: false })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const shared = page.getByRole('switch', { name: /shared/ })
  await shared.waitFor()
  expect(await shared.isChecked()).toBe(false)
  const loads = countLoads(page)

  await server.call('PATCH', `${flagsOf('staging')}/shared`, { is_enabled: true })
  await expect.poll(() => shared.isChecked()).toBe(true)

  await server.call('POST', flagsOf('staging'), { key: 'brand-new', is_enabled: true })
  await page.getByText('brand-new').first().waitFor()

  await server.call('DELETE', `${flagsOf('staging')}/brand-new`)
  await expect.poll(() => page.getByText('brand-new').count()).toBe(0)
  expect(loads()).toBe(0)
})

test('two tabs of one person show the same', async (context) => {
  await server.call('POST', flagsOf('development'), { key: 'twice', is_enabled: false })
  const { page, context: window } = await visit(context, server)
  const other = await window.newPage()
  for (const tab of [page, other]) {
    await tab.goto(server.page('development', 'flags'))
    await tab.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    await tab.getByRole('switch', { name: /twice/ }).waitFor()
  }

  await page.getByRole('switch', { name: /twice/ }).press('Space')

  await expect.poll(() => other.getByRole('switch', { name: /twice/ }).isChecked()).toBe(true)
})

test('what was missed while the connection was lost is caught up with', async (context) => {
  await server.call('POST', flagsOf('development'), { key: 'missed', is_enabled: false })
  const { page } = await visit(context, server)
  await page.route('**/stream?*', (route) => route.abort())
  await page.goto(server.page('development', 'flags'))
  const missed = page.getByRole('switch', { name: /missed/ })
  await missed.waitFor()
  await page.getByRole('status').filter({ hasText: 'Reconnecting' }).waitFor()

  await server.call('PATCH', `${flagsOf('development')}/missed`, { is_enabled: true })
  await page.unroute('**/stream?*')

  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await expect.poll(() => missed.isChecked(), { timeout: 10_000 }).toBe(true)
})

/** Counts the loads of the page itself from now on. */
function countLoads(page: { on(event: 'load', listener: () => void): unknown }): () => number {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  return () => loads
}

test('a hidden tab requests nothing, and counts change requests again when it is visible', async (context) => {
  const { page } = await visit(context, server)
  await page.clock.install()
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const counts = countRequests(page, /change-requests/)
  await page.clock.runFor('01:05')
  await expect.poll(counts).toBeGreaterThan(0)
  // Minutes of the clock pass faster than a response arrives, and one that is awaited is not requested again.
  await expect.poll(counts.awaited).toBe(0)

  await setVisibility(page, 'hidden')
  await page.clock.runFor('00:05')
  const before = counts()
  await page.clock.runFor('05:00')
  expect(counts()).toBe(before)

  await setVisibility(page, 'visible')
  await page.clock.runFor('01:05')
  await expect.poll(counts).toBeGreaterThan(before)
})

/** Hides the tab from its own page, as another tab in front does. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value === 'hidden' })
    window.dispatchEvent(new Event('visibilitychange'))
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

/** Counts the requests to an address from now on, and those of them that are not over. */
function countRequests(page: Page, address: RegExp): (() => number) & { readonly awaited: () => number } {
  const requests = new Set<Request>()
  const over = new Set<Request>()
  const note = (noted: Set<Request>) => (request: Request) => {
    if (address.test(request.url())) noted.add(request)
  }
  page.on('request', note(requests))
  page.on('requestfinished', note(over))
  page.on('requestfailed', note(over))
  return Object.assign(() => requests.size, {
    awaited: () => [...requests].filter((request) => !over.has(request)).length,
  })
}
