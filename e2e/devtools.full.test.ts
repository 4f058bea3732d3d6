import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createKeyFor, environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { launchBrowser } from './harness/launch-browser.ts'
import { openStage } from './harness/open-stage.ts'
import { servePage } from './harness/serve-page.ts'
import { startServer } from './harness/start-server.ts'

const FLAGS = [
  { key: 'new-checkout', is_enabled: true },
  { key: 'button-color', is_enabled: true, flag_type: 'string', default_value: 'blue' },
  { key: 'limits', is_enabled: true, flag_type: 'json', default_value: { seats: 3 } },
  { key: 'page-size', is_enabled: true, flag_type: 'integer', default_value: 20 },
  { key: 'beta-search', is_enabled: false },
]

/** The controls of the panel, by what people read. */
function panelOf(page: Page) {
  return {
    toggle: page.getByRole('button', { name: /^Flags/ }),
    dialog: page.getByRole('dialog', { name: 'Burgee flags' }),
    search: page.getByRole('searchbox', { name: 'Search flags' }),
    rows: page.getByRole('list', { name: 'Flags' }).getByRole('listitem'),
    value: (key: string) => page.getByLabel(`Value of ${key}`),
    reset: (key: string) => page.getByRole('button', { name: `Reset ${key}` }),
    resetAll: page.getByRole('button', { name: 'Reset all' }),
  }
}

test('the panel lists the flags of a page and forces values in this browser only', async (context) => {
  const browser = await launchBrowser(context)
  const server = await startServer(openStage(), { databaseUrl: await cloneDatabase() })
  const environment_id = await environmentOf(server.url)
  for (const flag of FLAGS) await putFlag(server.url, environment_id, flag)
  const { key } = await createKeyFor(server.url, 'production', 'client')
  const origin = await servePage(shopPage(server.url, key))
  const visitor = await browser.newContext()
  const page = await visitor.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(origin)
  const panel = panelOf(page)
  const shown = (text: string, on = page) => on.locator('#shown').filter({ hasText: text }).waitFor()
  await shown('true blue')

  // Keyboard alone: open, search, force, and leave.
  await page.keyboard.press('Alt+Shift+KeyB')
  await panel.rows.nth(4).waitFor()
  await page.keyboard.type('CHECK')
  await panel.rows.filter({ hasText: 'new-checkout' }).filter({ hasText: 'static' }).waitFor()
  expect(await panel.rows.count()).toBe(1)
  await panel.value('new-checkout').selectOption('false')
  await shown('false blue')
  await panel.rows.filter({ hasText: 'forced in this browser' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.toggle.filter({ hasText: '1 forced' }).waitFor()
  expect(await panel.toggle.evaluate((button) => button.matches(':focus'))).toBe(true)

  // Another tab of this browser follows, another browser does not, and a reload keeps it.
  const tab = await visitor.newPage()
  await tab.goto(origin)
  await shown('false blue', tab)
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(origin)
  await shown('true blue', stranger)
  await page.reload()
  await shown('false blue')

  // A value of each type; what cannot be used is explained.
  await panel.toggle.click()
  await panel.value('button-color').fill('green')
  await panel.value('button-color').press('Enter')
  await shown('false green')
  await shown('false green', tab)
  await panel.value('limits').fill('{"seats": ')
  await panel.value('limits').press('Enter')
  await panel.rows.getByRole('alert').filter({ hasText: 'Enter JSON' }).waitFor()
  await panel.value('limits').fill('{"seats": 9}')
  await panel.value('limits').press('Enter')
  await panel.reset('limits').waitFor()
  await panel.toggle.filter({ hasText: '3 forced' }).waitFor()

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().include('burgee-devtools').analyze()
    expect(violations).toEqual([])
  }

  // The server changes a flag that is not forced, and one that is.
  await patchFlag(server.url, environment_id, 'beta-search', { is_enabled: true })
  await patchFlag(server.url, environment_id, 'button-color', { default_value: 'red' })
  await panel.rows.filter({ hasText: 'beta-search' }).filter({ hasText: 'static' }).waitFor()
  await shown('false green')
  await panel.reset('button-color').click()
  await shown('false red')
  await panel.resetAll.click()
  await shown('true red')
  await shown('true red', tab)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)

  expect(problems).toEqual([])
})

/** A page that shows two flags of its visitor, with the panel. */
function shopPage(url: string, sdkKey: string): string {
  return `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><p id="shown"></p></main>
<script type="module">
import { createClient } from '/sdk.js'
import { mountDevtools } from '/devtools.js'
const client = createClient({ url: '${url}', sdkKey: '${sdkKey}' })
const user = client.forUser('anna', { country: 'NO' })
const show = () => {
  shown.textContent = user.isEnabled('new-checkout') + ' ' + user.getVariant('button-color', 'none')
}
user.on('update', show)
mountDevtools(client, { user })
await client.connect()
show()
</script></html>`
}
