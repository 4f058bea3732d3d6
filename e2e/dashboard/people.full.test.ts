import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { totpCode, totpStep } from '../../packages/server/src/identity/second-factors/totp.ts'
import { fromBase32 } from '../../packages/server/test/harness/second-factors.ts'
import { serveDashboard } from './harness/open-dashboard.ts'
import { openStory } from './harness/open-story.ts'
import { revealSecret, storeAndClose } from './harness/shown-secrets.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard({ env: { TOKEN_MAX_DAYS: '45' } })
const windowOf = openStory(server)

const EMAIL = 'grace@example.com'
const FIRST_PASSWORD = 'correct horse battery'
const NEXT_PASSWORD = 'a longer horse battery'

/** Her window begins without a session. */
const NO_ONE = { as: null }

const graceOf = async (): Promise<{ id: number; second_factors: string[] }> => {
  const users: { id: number; email: string; second_factors: string[] }[] = await server.call(
    'GET',
    '/api/users',
  )
  const grace = users.find(({ email }) => email === EMAIL)
  if (!grace) throw new Error('she was invited in the first chapter')
  return grace
}
const rowOf = (page: Page) =>
  page.getByRole('list', { name: 'Users' }).getByRole('listitem').filter({ hasText: EMAIL })

async function openMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Grace' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function logIn(page: Page, password: string): Promise<void> {
  await page.goto(`${server.url}/login`)
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

test('an invited person sets a password with the link and signs in', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.goto(`${server.url}/workspace`)
  await page.getByRole('button', { name: 'Invite user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Grace')
  await dialog.getByLabel('E-mail').fill(EMAIL)
  await dialog.getByRole('button', { name: 'Invite user' }).click()
  const link = await revealSecret(page, /set-password#token=/)
  await storeAndClose(page)
  await rowOf(page).getByText('Invited').waitFor()

  const grace = await windowOf(context, 'grace', NO_ONE)
  await grace.page.goto(link)
  await grace.page.getByLabel('New password', { exact: true }).fill(FIRST_PASSWORD)
  await grace.page.getByRole('button', { name: 'Set password' }).click()
  await grace.page.getByRole('link', { name: 'Sign in' }).click()
  await logIn(grace.page, FIRST_PASSWORD)

  await page.reload()
  await rowOf(page).waitFor()
  expect(await rowOf(page).getByText('Invited').count()).toBe(0)
})

test('she ends a session of another browser, and then all others', async (context) => {
  const { page } = await windowOf(context, 'grace', NO_ONE)
  const signIn = async () => {
    const response = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
      body: JSON.stringify({ email: EMAIL, password: FIRST_PASSWORD }),
    })
    const cookie = response.headers.getSetCookie().find((one) => one.startsWith('lg_session=')) ?? ''
    return async () => (await fetch(`${server.url}/api/auth/me`, { headers: { cookie } })).status
  }
  const others = [await signIn(), await signIn(), await signIn()]
  const statuses = () => Promise.all(others.map((statusOf) => statusOf()))
  await page.goto(`${server.url}/account?tab=sessions`)
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(4)

  await rows.getByRole('button', { name: /^End / }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  await expect.poll(async () => (await statuses()).filter((status) => status === 401).length).toBe(1)
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()

  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByText('This session').waitFor()
  await expect.poll(statuses).toEqual([401, 401, 401])
})

test('her token lasts no longer than the server allows, and ends with a new password', async (context) => {
  const { page } = await windowOf(context, 'grace', NO_ONE)
  await page.goto(`${server.url}/account`)
  await page.getByRole('button', { name: 'Create token' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByText('On this server a token ends after at most 45 days').waitFor()
  await form.getByLabel('Name').fill('Release script')
  await form
    .getByRole('combobox', { name: 'Expires' })
    .or(form.getByRole('textbox', { name: 'Expires' }))
    .click()
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['In 7 days', 'In 30 days', 'In 45 days'])
  await page.getByRole('option', { name: 'In 45 days' }).click()
  await form.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog', { name: 'Store the token now' }).waitFor()
  await storeAndClose(page)
  await page.getByRole('list', { name: 'Tokens' }).getByText('Release script').waitFor()

  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByLabel('Current password', { exact: true }).fill(FIRST_PASSWORD)
  await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD)
  expect(await page.getByLabel('Revoke my personal access tokens').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('your tokens are revoked').waitFor()

  const { id } = await graceOf()
  expect(await server.call('GET', `/api/users/${id}/tokens`)).toEqual([])
})

test('a disabled person is out at once, with what they planned, until they are enabled', async (context) => {
  const { id } = await graceOf()
  const flags = `/api/environments/${server.environments.staging}/flags`
  await server.call('POST', `/api/projects/${server.project_id}/members`, { user_id: id, role: 'editor' })
  await server.call('POST', flags, { key: 'planned', is_enabled: true })
  const grace = await windowOf(context, 'grace', NO_ONE)
  const planned = await grace.context.request.post(`${server.url}${flags}/planned/scheduled-changes`, {
    data: { scheduled_at: '9999-12-31T23:59:00Z', patch: { is_enabled: false } },
    headers: { 'x-flagservice-request': 'true' },
  })
  expect(planned.status()).toBe(200)
  await grace.page.goto(server.page('staging', 'flags'))
  await grace.page.getByRole('link', { name: 'planned' }).first().waitFor()
  const { page } = await windowOf(context, 'admin')
  await page.goto(`${server.url}/workspace`)

  await takePictures(page, 'people')
  await openMenu(page, 'Disable')
  const dialog = page.getByRole('dialog', { name: 'Disable Grace?' })
  await dialog.getByText('1 scheduled change').waitFor()
  await dialog.getByRole('radio', { name: 'Cancel them' }).check()
  await dialog.getByRole('button', { name: 'Disable user' }).click()

  await rowOf(page).getByText('Disabled').waitFor()
  await expect
    .poll(async () => (await grace.context.request.get(`${server.url}/api/auth/me`)).status())
    .toBe(401)
  await expect.poll(() => server.call('GET', `${flags}/planned/scheduled-changes`)).toEqual([])
  await openMenu(page, 'Enable')
  await page.getByText('Grace can sign in again.').waitFor()
  await logIn(grace.page, NEXT_PASSWORD)
  await grace.page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
})

test('where the workspace requires a second factor, she lands on its page until she has one', async (context) => {
  const grace = await windowOf(context, 'grace', NO_ONE)
  await server.call('PATCH', '/api/workspace', { second_factor: 'required', second_factor_grace_days: 0 })
  await logIn(grace.page, NEXT_PASSWORD)
  await grace.page.waitForURL(/\/account\?tab=password/)
  await grace.page.goto(server.page('staging', 'flags'))
  await grace.page.waitForURL(/\/account\?tab=password/)

  await grace.page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const dialog = grace.page.getByRole('dialog', { name: 'Add an authenticator app' })
  await dialog.getByRole('button', { name: 'Enter a key instead' }).click()
  const secret = (await dialog.getByLabel('Key for the app').innerText()).replaceAll(/\s/g, '')
  await dialog.getByLabel('Code', { exact: true }).fill(totpCode(fromBase32(secret), totpStep(Date.now())))
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  const codes = grace.page.getByRole('dialog', { name: 'Store your recovery codes' })
  await codes.getByRole('button', { name: 'I have stored them' }).click()
  await grace.page.getByText('10 of 10 recovery codes are left').waitFor()
  await grace.page.goto(server.page('staging', 'flags'))
  await grace.page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  // The admin of these tests has no second factor.
  await server.runSql("update workspace set second_factor = 'optional'", [])
})

test('an admin resets her factors: the password alone signs in, and the page states what happened', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.goto(`${server.url}/workspace`)
  await rowOf(page).getByText('Authenticator app').waitFor()
  await openMenu(page, 'Reset two-step verification')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByText('Grace can sign in with the password alone.').waitFor()
  expect((await graceOf()).second_factors).toEqual([])
  await rowOf(page).getByText('Authenticator app').waitFor({ state: 'detached' })

  const grace = await windowOf(context, 'grace', NO_ONE)
  await grace.context.clearCookies()
  await logIn(grace.page, NEXT_PASSWORD)
  await grace.page.getByText('An admin removed the second factors of your account.').waitFor()
})
