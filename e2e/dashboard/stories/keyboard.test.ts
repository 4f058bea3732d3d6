import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ADMIN } from '../../harness/start-server.ts'
import { expectAccessible } from '../harness/expect-accessible.ts'
import { serveDashboard } from '../harness/open-dashboard.ts'
import { openStory } from '../harness/open-story.ts'

const server = serveDashboard()
const windowOf = openStory(server)
const TABS_MAX = 20

const path = (slug: string, rest = '') => `/api/environments/${server.environments[slug]}/flags${rest}`
const flagOf = (slug: string, key: string) => server.call('GET', path(slug, `/${key}`))
const linkOf = (page: Page, key: string) => page.getByRole('link', { name: key, exact: true })

/** Waits until the heading of the page has the focus: a screen reader announces the page by it. */
async function expectAnnounced(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor()
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  const isReached = () => element.evaluate((node) => node === document.activeElement)
  for (let tabs = 0; tabs < TABS_MAX && !(await isReached()); tabs += 1) await page.keyboard.press('Tab')
  expect(await isReached()).toBe(true)
}

beforeAll(async () => {
  const flag = { description: 'One button', tags: ['checkout'], is_enabled: true }
  await server.call('POST', path('development'), { ...flag, key: 'new-checkout' })
  await server.call('POST', path('development'), { key: 'old-banner', is_enabled: false })
  await server.call('POST', path('production'), { key: 'payments', is_enabled: true })
})

test('a person signs in with the keys and is where the link led', async (context) => {
  const { page } = await windowOf(context, 'person', { as: null })
  await page.goto(server.page('development', 'segments'))
  await page.getByLabel('E-mail').and(page.locator(':focus')).waitFor()
  await expectAccessible(page)

  await page.keyboard.type(ADMIN.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
  expect(page.url()).toBe(server.page('development', 'segments'))
})

test('`?` lists the shortcuts, `g` and a letter goes to a page, whose heading is announced', async (context) => {
  const { page } = await windowOf(context, 'person')

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('a')

  await page.waitForURL(server.page('development', 'audit'))
  await expectAnnounced(page, 'Audit log')
  await expect.poll(() => page.title()).toBe('Audit log · Burgee')
})

test('`e` switches the environment', async (context) => {
  const { page } = await windowOf(context, 'person')

  await page.keyboard.press('e')
  await page.getByRole('combobox', { name: 'Environment' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('stag')
  await page.keyboard.press('Enter')
  await page.waitForURL(server.page('staging', 'audit'))
  await page.keyboard.press('e')
  await page.getByRole('combobox', { name: 'Environment' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('devel')
  await page.keyboard.press('Enter')

  await page.waitForURL(server.page('development', 'audit'))
})

test('the list is searched, walked down, selected and opened with the keys', async (context) => {
  const { page } = await windowOf(context, 'person')
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await linkOf(page, 'new-checkout').waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type('o')
  await page.keyboard.press('ArrowDown')
  await linkOf(page, 'new-checkout').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')

  await page.waitForURL(server.page('development', 'flags/old-banner'))
  await page.goBack()
  await page.getByLabel('Search flags').waitFor()
  expect(await page.getByLabel('Search flags').inputValue()).toBe('o')
})

test('Space turns the flag of the focused row on, and off again', async (context) => {
  const { page } = await windowOf(context, 'person')
  await linkOf(page, 'old-banner').focus()

  await page.keyboard.press('Space')
  await page.getByText('old-banner is on').waitFor()
  expect((await flagOf('development', 'old-banner')).is_enabled).toBe(true)
  await page.keyboard.press('Space')
  await page.getByText('old-banner is off').waitFor()
  expect((await flagOf('development', 'old-banner')).is_enabled).toBe(false)
})

test('`c` creates a flag, and its page is announced', async (context) => {
  const { page } = await windowOf(context, 'person')

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  await dialog.getByLabel('Key').and(page.locator(':focus')).waitFor()
  await expectAccessible(page)
  await page.keyboard.type('with keys')
  await page.keyboard.press('Enter')

  await page.waitForURL(server.page('development', 'flags/with-keys'))
  await page.getByRole('alert').filter({ hasText: 'with-keys is created' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'with-keys' }).waitFor()
  await expectAccessible(page)
})

test('the palette turns a flag off after the question of Production, and opens it elsewhere', async (context) => {
  const { page } = await windowOf(context, 'person')
  await server.call('POST', path('staging'), { key: 'payments', is_enabled: true })
  await page.goto(server.page('production', 'segments'))
  await page.getByRole('heading', { level: 1 }).waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('turn off payments')
  await page.getByRole('option', { name: /^Turn off payments/ }).waitFor()
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: /^Turn off payments in / })
  await question.getByText('Connected programs follow within a second.').waitFor()
  await question.locator(':focus').waitFor()
  await tabTo(page, question.getByRole('button', { name: 'Turn off' }))
  await page.keyboard.press('Enter')
  await page.getByText('payments is off').waitFor()
  await question.waitFor({ state: 'hidden' })
  expect((await flagOf('production', 'payments')).is_enabled).toBe(false)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('open payments in staging')
  await page.getByRole('option', { name: 'Open payments in Staging', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(server.page('staging', 'flags/payments'))
})
