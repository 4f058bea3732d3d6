import { expect, test } from 'vitest'
import { ADMIN } from '../harness/start-server.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const TOKEN = 'setup-token-of-the-test'
const server = serveDashboard({ isSetUp: false, env: { SETUP_TOKEN: TOKEN, COOKIE_SECURE: 'true' } })

/** The address over which another machine on the network reaches the server. */
const remoteUrl = () => server.url.replace('127.0.0.1', 'burgee.test')

test('setup over http from another machine shows the key and states why nobody is signed in', async (context) => {
  const { page } = await visit(context, server, { as: null })
  await page.goto(`${remoteUrl()}/setup?token=${TOKEN}`)
  await page.getByLabel('Workspace name').fill('Acme')
  await page.getByLabel('First project').fill('Web shop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Set up Burgee' }).click()

  const alert = page.getByRole('alert').filter({ hasText: 'You are not signed in' })
  await alert.waitFor()
  expect(await alert.textContent()).toContain('COOKIE_SECURE=false')
  await page
    .getByText(/^sk_live_/)
    .first()
    .waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a login over http from another machine names the setting and the two ways out', async (context) => {
  const { page } = await visit(context, server, { as: null })
  await page.goto(`${remoteUrl()}/login`)
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  const alert = page.getByRole('alert').filter({ hasText: 'did not keep the session cookie' })
  await alert.waitFor()
  expect(await alert.textContent()).toMatch(/over https.*COOKIE_SECURE=false/)
  expect(new URL(page.url()).pathname).toBe('/login')
})

test('a login over http on the same machine works with the default settings', async (context) => {
  const { page } = await visit(context, server, { as: null })
  await page.goto(`${server.url.replace('127.0.0.1', 'localhost')}/login`)
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
})
