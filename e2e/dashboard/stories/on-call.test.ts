import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN } from '../../harness/start-server.ts'
import { serveDashboard } from '../harness/open-dashboard.ts'
import { openStory } from '../harness/open-story.ts'

const server = serveDashboard()
const windowOf = openStory(server)
const PHONE = { as: null, viewport: { width: 390, height: 844 } }

const flag = () => `/api/environments/${server.environments.production}/flags/checkout`

/** Nothing is wider than the window. A font that is still loading may be for a moment. */
const expectNoOverflow = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)

test('the link of an alert asks for the login on a phone, and then shows the flag', async (context) => {
  const { page } = await windowOf(context, 'on-call', PHONE)
  const path = `/api/environments/${server.environments.production}/flags`
  await server.call('POST', path, { key: 'checkout', is_enabled: true })
  await server.call('PATCH', flag(), { description: 'Two steps' })
  await page.goto(server.page('production', 'flags/checkout'))

  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { level: 1, name: 'checkout' }).waitFor()
  expect(page.url()).toBe(server.page('production', 'flags/checkout'))
  await expectNoOverflow(page)
})

test('the names can be read at 390 px, and the navigation is a drawer', async (context) => {
  const { page } = await windowOf(context, 'on-call')
  const environment = page.getByRole('button', { name: 'Environment: Production' }).getByText('Production')
  await environment.waitFor()
  // Parts of a pixel are rounded up in one and down in the other.
  const hiddenPx = () => environment.evaluate((text) => text.scrollWidth - text.clientWidth)
  await expect.poll(hiddenPx).toBeLessThanOrEqual(1)

  await page.getByRole('button', { name: 'Navigation' }).click()
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Flags', exact: true })
    .click()

  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  await page.getByRole('link', { name: 'Segments' }).waitFor({ state: 'hidden' })
  await expectNoOverflow(page)
})

test('a flag is turned off in Production after one question', async (context) => {
  const { page } = await windowOf(context, 'on-call')

  await page.getByRole('switch', { name: 'checkout is on' }).click({ force: true })
  const question = page.getByRole('dialog', { name: 'Turn off checkout' })
  await expectNoOverflow(page)
  await question.getByRole('button', { name: 'Turn off' }).click()

  await page.getByText('checkout is off').waitFor()
  expect(await server.call('GET', flag())).toMatchObject({ is_enabled: false })
})

test('the log shows its entries before its filters, and who switched the flag off in the last hour', async (context) => {
  const { page } = await windowOf(context, 'on-call')
  await page.goto(server.page('production', 'audit'))
  const entries = page.getByRole('list', { name: 'Entries' })
  await entries.waitFor()

  expect(await page.getByLabel('Action').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Action').selectOption('switched off')
  await page.getByLabel('When').selectOption('Last hour')
  await expect.poll(() => entries.getByRole('listitem').count()).toBe(1)
  await entries.getByText(ADMIN.email).waitFor()
  await expectNoOverflow(page)
})

test('the entry leads to the undo, which brings back what was on before', async (context) => {
  const { page } = await windowOf(context, 'on-call')
  const entries = page.getByRole('list', { name: 'Entries' })

  await entries.getByRole('button', { name: /changed checkout/ }).click()
  await entries.getByRole('button', { name: 'Undo this change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo 1 change in Production' })
  await dialog.getByText('Switched on').waitFor()
  await expectNoOverflow(page)
  await dialog.getByRole('button', { name: 'Undo in Production' }).click()

  await page.getByText('Undid 1 change in Production.').waitFor()
  expect(await server.call('GET', flag())).toMatchObject({ is_enabled: true, description: 'Two steps' })
})
