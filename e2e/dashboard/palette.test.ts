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

test('`?` lists the shortcuts, `g` and a letter goes to a page, `e` switches the environment', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'connect'))
  await page.getByRole('heading', { level: 1 }).waitFor()

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.waitForURL(server.page('staging', 'audit'))

  await page.keyboard.press('e')
  await page.getByRole('combobox', { name: 'Environment' }).fill('devel')
  await page.keyboard.press('Enter')
  await page.waitForURL(server.page('development', 'audit'))
})

test('no key is a shortcut while somebody types', async (context) => {
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
