import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { serveDashboard, visit } from '../harness/open-dashboard.ts'
import { seedDemo } from '../harness/seed-demo.ts'

const server = serveDashboard()
const LATENCY_MS = 400
const BYTES_PER_SECOND = 400_000 / 8
/** Below this a page is stable for its readers (web.dev, Cumulative Layout Shift). */
const SHIFT_MAX = 0.1
const PATIENCE_MS = 300_000

beforeAll(() => seedDemo(server))

/** Slows the page's network down, and sums what moves on it by itself. */
async function slowDown(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  })
  await page.addInitScript(() => {
    const shifts: { value: number; at: string }[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { hadRecentInput, sources, value } = entry as PerformanceEntry & {
          hadRecentInput: boolean
          value: number
          sources: { node?: { nodeName: string; textContent: string | null } }[]
        }
        const at = sources
          .map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`)
          .join(' | ')
        if (!hadRecentInput) shifts.push({ value, at })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const shiftsOf = (page: Page): Promise<readonly { value: number; at: string }[]> =>
  page.evaluate(() => Reflect.get(window, 'shifts'))

async function expectNoShifts(page: Page): Promise<void> {
  const observed = await page.evaluate(() => PerformanceObserver.supportedEntryTypes)
  expect(observed).toContain('layout-shift')
  const shifts = await shiftsOf(page)
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect(sum, JSON.stringify(shifts, null, 2)).toBeLessThan(SHIFT_MAX)
}

const PAGES = [
  ['flags', 'Flags'],
  ['flags/new-checkout', 'new-checkout'],
  ['segments', 'Segments'],
  ['evaluate', 'Evaluate'],
  ['audit', 'Audit log'],
  ['change-requests', 'Change requests'],
  ['experiments', 'Experiments'],
] as const

test.for(PAGES)(
  'on a slow network %s shows that it waits, and nothing jumps',
  { timeout: PATIENCE_MS },
  async ([path, heading], context) => {
    // Each page is loaded in full: a window of its own has an empty cache.
    const { page } = await visit(context, server)
    await slowDown(page)
    await page.goto(server.page('production', path), { waitUntil: 'commit' })
    await page.locator('[aria-busy="true"], [role="progressbar"]').first().waitFor()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()

    await expectNoShifts(page)
  },
)

test('on a slow network a save shows that it waits until the server has it, and nothing jumps', {
  timeout: PATIENCE_MS,
}, async (context) => {
  const flags = `/api/environments/${server.environments.development}/flags`
  await server.call('POST', flags, { key: 'slow-save', is_enabled: true, rollout_percentage: 10 })
  const { page } = await visit(context, server)
  await slowDown(page)
  await page.goto(server.page('development', 'flags/slow-save'))
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const rollout = page.getByLabel('Rollout percentage', { exact: true })
  await rollout.fill('35')
  await page.getByRole('button', { name: 'Review changes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Rollout 10% → 35%').waitFor()
  // The write is held until the page was looked at, however slow the machine is.
  let letPass = () => {}
  const looked = new Promise<void>((resolve) => {
    letPass = resolve
  })
  await page.route('**/flags/slow-save', async (route) => {
    if (route.request().method() === 'PATCH') await looked
    await route.continue()
  })

  const save = dialog.getByRole('button', { name: /^Save to/ })
  await save.click()
  await dialog.locator('button[data-loading]').waitFor()
  expect(await save.isDisabled()).toBe(true)
  expect(await dialog.getByRole('button', { name: 'Keep editing' }).isDisabled()).toBe(true)
  expect(await page.getByText('slow-save is saved').count()).toBe(0)
  letPass()

  await page.getByText('slow-save is saved').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' })
  expect(await rollout.inputValue()).toMatch(/^35/)
  await expectNoShifts(page)
  expect(await server.call('GET', `${flags}/slow-save`)).toMatchObject({ rollout_percentage: 35 })
})
