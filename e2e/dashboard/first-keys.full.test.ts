import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bearer, callApi } from '../harness/call-api.ts'
import { ADMIN } from '../harness/start-server.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const TOKEN = 'set-up-token-of-the-test'

const server = serveDashboard({ isSetUp: false, env: { SETUP_TOKEN: TOKEN } })

/** No reader key can be created. */
const refuseKeys = (page: Page) =>
  page.route('**/api/projects/*/keys', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )

const PROMISE_OF_READERS = /A reader key reads flags and sends reports, nothing else/

test('where the wizard could not create a reader key, it states that the key it shows is a server key', async (context) => {
  const { page } = await visit(context, server, { as: null })
  await refuseKeys(page)
  await page.goto(`${server.url}/setup?token=${TOKEN}`)
  await page.getByLabel('Workspace name').fill('Acme')
  await page.getByLabel('First project').fill('Web shop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Set up Burgee' }).click()

  await page.getByText('Server key of Production').waitFor()
  await page.getByText('The reader key could not be created. This is a server key').waitFor()
  expect(await page.getByText(PROMISE_OF_READERS).count()).toBe(0)
})

test('a new project comes with a reader key, and with its server key on request', async (context) => {
  const { page } = await visit(context, server, { as: ADMIN })
  await createProject(page, 'Billing')

  const dialog = page.getByRole('dialog', { name: 'Connect a program to Billing' })
  await dialog.getByText('Reader key of Production').waitFor()
  const reader = await revealKey(page, 'Reader key of Production')
  expect((await callApi(server.url, 'GET', '/flags/snapshot', undefined, bearer(reader))).status).toBe(200)
  expect((await callApi(server.url, 'GET', '/api/projects', undefined, bearer(reader))).status).toBe(403)
  expect(await dialog.getByText('Server key of Production').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Show the server key' }).click()
  const writer = await revealKey(page, 'Server key of Production')
  expect((await callApi(server.url, 'GET', '/api/projects', undefined, bearer(writer))).status).toBe(200)

  await dialog.getByLabel('I have stored the key').check()
  await dialog.getByRole('button', { name: 'Connect your app' }).click()
  await page.getByText('Back end (reader)').waitFor()
})

test('a project whose reader key could not be created states that its key is a server key', async (context) => {
  const { page } = await visit(context, server, { as: ADMIN })
  await refuseKeys(page)
  await createProject(page, 'Search')

  const dialog = page.getByRole('dialog', { name: 'Connect a program to Search' })
  await dialog.getByText('Server key of Production').waitFor()
  await dialog.getByText('The reader key could not be created. This is a server key').waitFor()
})

async function createProject(page: Page, name: string): Promise<void> {
  await page.goto(`${server.url}/projects`)
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click()
}

async function revealKey(page: Page, label: string): Promise<string> {
  const key = page.getByRole('group', { name: label })
  await key.getByRole('button', { name: 'Show the secret' }).click()
  return (await key.getByText(/^sk_live_[\w-]/).textContent()) ?? ''
}
