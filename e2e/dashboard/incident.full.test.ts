import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../packages/server/test/harness/eventually.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()
const api = (slug: string, path: string) => `/api/environments/${server.environments[slug]}/${path}`
const address = () => `${server.url}/projects/${server.project_id}/incident`
const choose = (page: Page, name: RegExp) => page.getByRole('checkbox', { name }).first()

const USERS = 20
beforeAll(async () => {
  await server.call('POST', api('production', 'flags'), { key: 'seen', is_enabled: true })
  const reports = Array.from({ length: USERS }, (_, nth) => ({
    ...{ flag_key: 'seen', user_id: `user-${nth}`, value: 'true' },
    evaluated_at: new Date().toISOString(),
  }))
  await server.call('POST', api('production', 'impressions'), reports)
  const changes = [{ flag_key: 'seen', operation: 'archive' }]
  const impact = () => server.call('POST', api('production', 'impact'), { changes })
  await eventually(async () => (await impact()).users.known === USERS)
})

let round = 0
const key = (name: string) => `${name}-${round}`
beforeEach(async () => {
  round += 1
  const flags = [
    { key: key('checkout'), is_enabled: true, rollout_percentage: 10 },
    { key: key('search'), is_enabled: true },
  ]
  await server.call('POST', api('production', 'apply'), { flags })
  await server.call('POST', api('staging', 'flags'), { key: key('trial'), is_enabled: true })
})

const WIDTHS = [390, 1280]
/** Returns the heights of a row, on a phone and on a desk. */
async function heightsOf(row: Locator): Promise<(number | undefined)[]> {
  const heights: (number | undefined)[] = []
  for (const width of WIDTHS) {
    await row.page().setViewportSize({ width, height: 900 })
    heights.push((await row.boundingBox())?.height)
  }
  return heights
}

/** Holds the responses with the numbers of users back, and returns what lets them go. */
async function holdCounts(page: Page): Promise<() => void> {
  let release = () => {}
  const counted = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/incident\?.*impact=true/, async (route) => {
    await counted
    await route.continue()
  })
  return release
}

test('two changes of Production are found and undone together', async (context) => {
  const comment = 'The trial went well'
  await server.call('PATCH', api('production', `flags/${key('checkout')}`), {
    rollout_percentage: 100,
    comment,
  })
  await server.call('PATCH', api('production', `flags/${key('search')}`), { is_enabled: false })
  const { page } = await visit(context, server)
  // No “just now” becomes “1 minute ago” between the two measurements.
  await page.clock.setFixedTime(Date.now())
  const releaseCounts = await holdCounts(page)
  await page.goto(address())
  const list = page.getByRole('list', { name: 'Changes' })
  await list.getByText(`“${comment}”`).waitFor()
  const row = list.getByRole('listitem').filter({ hasText: `changed ${key('search')}` })
  const heights = await heightsOf(row)
  releaseCounts()
  await choose(page, new RegExp(`changed ${key('search')}`)).check()
  await choose(page, new RegExp(`changed ${key('checkout')}`)).check()
  await list.getByText('20 of 20 recently seen users change: 20 lose access.').waitFor()
  expect(await heightsOf(row)).toEqual(heights)
  // Longer sentences wrap: a phone has no tooltip for the rest.
  await page.setViewportSize({ width: 390, height: 900 })
  const cut = await list
    .getByText(/recently seen users change/)
    .evaluateAll((lines) => lines.filter((line) => line.scrollHeight > line.clientHeight + 1).length)
  expect(cut).toBe(0)
  // One undo is one write of one environment.
  expect(await choose(page, new RegExp(`created ${key('trial')}`)).isDisabled()).toBe(true)
  await takePictures(page, 'incident')
  await page.getByRole('region', { name: 'Chosen changes' }).getByRole('button', { name: 'Undo…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo 2 changes in Production' })
  await dialog.getByText('Rollout 100% → 10%').waitFor()
  await dialog.getByText('Switched on').waitFor()
  expect(await dialog.getByText('flag is changed', { exact: true }).count()).toBe(2)
  await dialog.getByText('20 of 20 recently seen users change, in 2 flags.').waitFor()
  await takePictures(page, 'incident-undo')
  await dialog.getByRole('button', { name: 'Undo in Production' }).click()
  await page.getByText('Undid 2 changes in Production.').waitFor()
  await list.getByText('Undone', { exact: true }).first().waitFor()
  const flag = await server.call('GET', api('production', `flags/${key('checkout')}`))
  expect(flag.rollout_percentage).toBe(10)
})

test('a change that was changed again names the conflict, and nothing is undone', async (context) => {
  const path = api('production', `flags/${key('checkout')}`)
  await server.call('PATCH', path, { rollout_percentage: 40, comment: 'first' })
  await server.call('PATCH', path, { rollout_percentage: 70, comment: 'second' })
  const { page } = await visit(context, server)
  await page.goto(address())
  const earlier = page.getByRole('listitem').filter({ hasText: '“first”' })
  await earlier.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Undo…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByText(`${key('checkout')}: rollout percentage was changed again by ada@example.com`)
    .waitFor()
  await takePictures(page, 'incident-conflict')
  expect(await dialog.getByRole('button', { name: 'Undo in Production' }).isDisabled()).toBe(true)
  expect((await server.call('GET', path)).rollout_percentage).toBe(70)
})

test('the window and the environment are in the address, and an empty window states it', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${address()}?environment_id=${server.environments.development}`)
  await page.getByText('No changes').waitFor()
  await page.getByText('24 hours', { exact: true }).click()
  await page.waitForURL(/window=24h/)
  await takePictures(page, 'incident-empty')
})
