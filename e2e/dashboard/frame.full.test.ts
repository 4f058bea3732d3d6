import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

test('the address of an environment shows its name and project on top of every page', async (context) => {
  const { page } = await visit(context, server)

  await page.goto(server.page('staging', 'flags'))

  await page.getByRole('button', { name: 'Environment: Staging' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Flags')
})

test('a visitor who is not signed in signs in and then sees the page that they opened', async (context) => {
  const { page } = await visit(context, server, { as: null })

  await page.goto(server.page('staging', 'segments'))
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()

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
  await navigation.getByRole('link', { name: 'Flags', exact: true }).click()

  await page.waitForURL(server.page('staging', 'flags'))
})

test('an address of no project or environment states it inside the frame', async (context) => {
  const { page } = await visit(context, server)
  const nowhere = '11111111-1111-4111-8111-111111111111'

  await page.goto(`${server.url}/projects/${nowhere}/settings`)
  await page.getByText('There is no such project').waitFor()
  await page.goto(`${server.url}/projects/${server.project_id}/environments/${nowhere}/flags`)
  await page.getByText('There is no such environment').waitFor()
  await page.goto(`${server.url}/no/such/page`)
  await page.getByText('There is no such page').waitFor()
})
