import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startIdentityProvider } from '../../packages/server/test/single-sign-on/start-identity-provider.ts'
import { ssoSettings } from '../../packages/server/test/single-sign-on/start-sso-server.ts'
import { freePort } from '../harness/free-port.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

// The provider is at `localhost` and Burgee at `127.0.0.1`: two sites, as for people.
const provider = await startIdentityProvider()
const port = await freePort()
const publicUrl = `http://127.0.0.1:${port}`
provider.register(publicUrl)
const server = serveDashboard({ env: { PORT: String(port), ...ssoSettings(provider.issuer, publicUrl) } })

afterAll(() => provider.close())

const person = (id: string, claims: object = {}) =>
  provider.people.set(id, {
    email: `${id}@example.com`,
    email_verified: true,
    name: id,
    groups: [],
    ...claims,
  })

const map = (group: string, role: string, project_id: string | null = server.project_id) =>
  server.call('POST', '/api/workspace/sso/mappings', { group, project_id, role })

/** Signs in at the provider's own pages. */
async function logInAtProvider(page: Page, id: string): Promise<void> {
  await page.locator('input[name=login]').fill(id)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

test('a person whose group has a role signs in, comes to the page that was wanted, and signs out on both sides', async (context) => {
  const { page } = await visit(context, server, { as: null })
  person('grace', { groups: ['shop-team'] })
  await map('shop-team', 'editor')
  await page.goto(server.page('staging', 'segments'))
  await page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor()
  await takePictures(page, 'sso-login')

  await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
  await logInAtProvider(page, 'grace')
  await goOn(page)

  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
  expect(page.url()).toBe(server.page('staging', 'segments'))
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.waitForURL(`${server.url}/login**`)
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
  await page.locator('input[name=login]').waitFor()
})

test('an account confirms its link with the password once, is signed in, and ends the link', async (context) => {
  const { page } = await visit(context, server, { as: null })
  const member = await server.addPerson('linus', 'viewer')
  person('linus-at-work', { email: member.email })
  await page.goto(`${server.url}/login`)
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
  await logInAtProvider(page, 'linus-at-work')
  await goOn(page)

  await page.getByRole('heading', { level: 1, name: 'Link your account' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('a wrong guess')
  await page.getByRole('button', { name: 'Link and sign in' }).click()
  await page.getByRole('alert').filter({ hasText: '4 more tries' }).waitFor()
  await takePictures(page, 'sso-link')
  await page.getByLabel('Password', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: 'Link and sign in' }).click()

  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  await page.goto(`${server.url}/account?tab=password`)
  await page.getByText('Linked as').waitFor()

  await page.getByRole('button', { name: 'Unlink' }).click()
  await page
    .getByRole('dialog', { name: 'Unlink Example ID' })
    .getByRole('button', { name: 'Unlink' })
    .click()
  await page.getByRole('link', { name: 'Link Example ID' }).waitFor()
  await page.reload()
  await page.getByText('Not linked. Example ID must know you').waitFor()
})

test('a workspace admin gives a group a role, and takes it away', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/workspace?tab=sso`)
  await page.getByText('/api/auth/sso/callback').waitFor()
  await page.getByRole('button', { name: 'Add group' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add group' })
  await form.getByLabel('Group').fill('auditors')
  await form.getByRole('combobox', { name: 'Where' }).click()
  await page.getByRole('option', { name: 'Workspace' }).click()
  await form.getByRole('button', { name: 'Add group' }).click()

  const row = page.getByRole('listitem').filter({ hasText: 'auditors' })
  await row.filter({ hasText: 'Viewer' }).waitFor()
  await takePictures(page, 'sso-groups')
  await row.getByRole('button', { name: 'Remove the role of auditors' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await row.waitFor({ state: 'detached' })
})

test('what needs a recent login is confirmed at the provider in a window of its own, and goes on', async (context) => {
  const { page } = await visit(context, server, { as: null })
  person('barbara', { groups: ['owners'] })
  await map('owners', 'admin', null)
  await page.goto(`${server.url}/login`)
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
  await logInAtProvider(page, 'barbara')
  await goOn(page)
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  // The server finds the first attempt too old.
  let isFirst = true
  await page.route('**/api/workspace/sso/mappings', async (route) => {
    if (route.request().method() !== 'POST' || !isFirst) return route.fallback()
    isFirst = false
    const body = { error: 'Sign in again.', reason: 'reauthentication_required' }
    return route.fulfill({ status: 403, json: body })
  })
  await page.goto(`${server.url}/workspace?tab=sso`)
  await page.getByRole('button', { name: 'Add group' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add group' })
  await form.getByLabel('Group').fill('writers')
  await form.getByRole('combobox', { name: 'Where' }).click()
  await page.getByRole('option', { name: 'Workspace' }).click()
  await form.getByRole('button', { name: 'Add group' }).click()

  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Confirm with Example ID' }).click(),
  ])
  await logInAtProvider(opened, 'barbara')

  await page.getByRole('listitem').filter({ hasText: 'writers' }).waitFor()
  expect(opened.isClosed()).toBe(true)
})

test('a refused consent, a person without an account and a provider that is down are explained', async (context) => {
  const { page } = await visit(context, server, { as: null })
  person('nobody')
  const alert = page.getByRole('alert')
  await page.goto(`${server.url}/login`)
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await alert.filter({ hasText: 'was canceled or not permitted' }).waitFor()

  await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
  await logInAtProvider(page, 'nobody')
  await goOn(page)
  await alert.filter({ hasText: 'You have no account here' }).waitFor()
  await takePictures(page, 'sso-no-account')

  await provider.goDown()
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
  await alert.filter({ hasText: 'Example ID cannot be reached right now' }).waitFor()
  await provider.comeBack()
  expect(await page.getByLabel('E-mail').isVisible()).toBe(true)
})
