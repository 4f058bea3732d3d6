import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const api = (path: string) => `/api/environments/${server.environments.staging}/${path}`

test('the command palette finds pages, flags by key and description, segments and environments', async (context) => {
  await server.call('POST', api('flags'), {
    key: 'one-button',
    description: 'A checkout in a single step',
    is_enabled: true,
  })
  await server.call('POST', api('segments'), { key: 'seafarers', name: 'Those at sea' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'segments'))
  await page.getByRole('heading', { level: 1 }).waitFor()
  const field = page.getByRole('combobox', { name: 'Search or run a command' })
  const open = async (query: string) => {
    await page.keyboard.press('Control+k')
    await field.fill(query)
  }

  await open('single step')
  await page.getByRole('option', { name: /one-button/ }).waitFor()
  await field.press('Enter')
  await page.waitForURL(/\/flags\/one-button$/)

  await open('at sea')
  await page.getByRole('option', { name: /seafarers/ }).click()
  await page.waitForURL(/\/segments\/seafarers$/)

  await open('audit')
  await field.press('Enter')
  await page.waitForURL(server.page('staging', 'audit'))

  await open('production')
  await page.getByRole('option', { name: 'Production', exact: true }).click()
  await page.waitForURL(server.page('production', 'audit'))
})

test('no key is a shortcut while someone types', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or run a command' })

  await field.pressSequentially('ga?e/')

  expect(await field.inputValue()).toBe('ga?e/')
  expect(page.url()).toBe(server.page('staging', 'flags'))
})

test('`/` goes to the search of the list', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()

  await page.locator('[data-page-search]').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('one')

  const focused = page.locator('input:focus')
  expect(await focused.inputValue()).toBe('one')
})

test('keys that follow Ctrl K at once are typed into the palette, before any more code is loaded', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await page.route('**/assets/*.js', () => undefined)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('gs?c')

  const field = page.getByRole('combobox', { name: 'Search or run a command' })
  expect(await field.inputValue()).toBe('gs?c')
  expect(page.url()).toBe(server.page('staging', 'flags'))
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('shortcuts do nothing while a menu or a dialog is open', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('heading', { level: 1 }).waitFor()

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.type('gs')

  expect(page.url()).toContain(server.page('staging', 'flags'))
})

test('the palette begins with the flags that were opened last', async (context) => {
  await server.call('POST', api('flags'), { key: 'opened-before', is_enabled: true })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/opened-before'))
  await page.getByRole('heading', { name: 'opened-before' }).waitFor()
  await page.goto(server.page('staging', 'segments'))
  await page.getByRole('heading', { level: 1 }).waitFor()

  await page.keyboard.press('Control+k')
  const recent = page.getByRole('group', { name: 'Recent' })
  await recent.getByRole('option', { name: /^opened-before/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(server.page('staging', 'flags/opened-before'))
})

test('the palette finds the environments of other projects', async (context) => {
  await server.call('POST', '/api/projects', { name: 'Harbor' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('heading', { level: 1 }).waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('harbor prod')
  await page.getByRole('option', { name: 'Harbor: Production' }).click()

  await page.waitForURL(/\/environments\/[^/]+\/flags$/)
  await page
    .getByRole('button', { name: /Harbor/ })
    .first()
    .waitFor()
})
