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
