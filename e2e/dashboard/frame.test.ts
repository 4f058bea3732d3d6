import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

test('the address of an environment shows its name and project on top of every page', async (context) => {
  const { page } = await visit(context, server)

  await page.goto(server.page('staging', 'flags'))

  await page.getByRole('button', { name: 'Environment: Staging' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Flags')
})

test('a visitor who is not signed in logs in and then sees the page that they opened', async (context) => {
  const { page } = await visit(context, server, { as: null })

  await page.goto(server.page('staging', 'segments'))
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Log in' }).click()

  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
  expect(page.url()).toBe(server.page('staging', 'segments'))
})

test('pages of the project keep the navigation of the environment that was open last', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'segments'))
  const navigation = page.getByRole('navigation', { name: 'Pages' })

  await navigation.getByRole('link', { name: 'Project settings' }).click()
  await page.getByRole('heading', { level: 1, name: /settings/i }).waitFor()
  await page.getByRole('button', { name: 'Environment: Staging' }).waitFor()
  await navigation.getByRole('link', { name: 'Flags' }).click()

  await page.waitForURL(server.page('staging', 'flags'))
})

test('an address of no project or environment says so inside the frame', async (context) => {
  const { page } = await visit(context, server)
  const nowhere = '11111111-1111-4111-8111-111111111111'

  await page.goto(`${server.url}/projects/${nowhere}/settings`)
  await page.getByText('There is no such project').waitFor()
  await page.goto(`${server.url}/projects/${server.project_id}/environments/${nowhere}/flags`)
  await page.getByText('There is no such environment').waitFor()
  await page.goto(`${server.url}/no/such/page`)
  await page.getByText('There is no such page').waitFor()
})

test('on the way to another page the focus goes to its heading, and the title of the tab says where one is', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))

  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Audit log' })
    .press('Enter')

  const heading = page.getByRole('heading', { level: 1, name: 'Audit log' })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((h1) => h1 === document.activeElement)).toBe(true)
  expect(await page.title()).toBe('Audit log · Burgee')
})

test('at 375 px the names can be read, the navigation is a drawer, and nothing is wider than the window', async (context) => {
  const { page } = await visit(context, server, { viewport: { width: 375, height: 812 } })
  await page.goto(server.page('production', 'connect'))
  const environment = page.getByRole('button', { name: 'Environment: Production' }).getByText('Production')
  await environment.waitFor()
  // Until the font is there, another one is measured. Parts of a pixel are rounded up in one and down in the
  // other.
  const hiddenPx = () => environment.evaluate((text) => text.scrollWidth - text.clientWidth)
  await expect.poll(hiddenPx).toBeLessThanOrEqual(1)

  await page.getByRole('button', { name: 'Navigation' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Segments' }).click()

  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
  await page.getByRole('link', { name: 'Segments' }).waitFor({ state: 'hidden' })
  const tooWidePx = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(tooWidePx).toBeLessThanOrEqual(0)
})
