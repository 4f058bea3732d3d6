import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN } from '../harness/start-server.ts'
import { type Person, serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

test('when a session ends, the login comes to the page, what was typed stays, and work goes on', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'segments'))
  await page.getByRole('button', { name: 'Create segment' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create segment' })
  await form.getByLabel('Name').fill('Beta testers')

  await endSession(page)
  await form.getByRole('button', { name: 'Create segment' }).click()

  const login = page.getByRole('dialog', { name: 'Your session has ended' })
  expect(await login.getByLabel('E-mail').inputValue()).toBe(ADMIN.email)
  await signInAgain(page, ADMIN)
  expect(await form.getByLabel('Name').inputValue()).toBe('Beta testers')
  await form.getByRole('button', { name: 'Create segment' }).click()

  await form.waitFor({ state: 'hidden' })
  const segments = await server.call('GET', `/api/environments/${server.environments.staging}/segments`)
  expect(segments).toMatchObject([{ name: 'Beta testers' }])
})

test('five wrong passwords lock an account, and the page counts down to the end of the lock', async (context) => {
  const { page } = await visit(context, server, { as: null })
  const person = await server.addPerson('locked', 'viewer')
  await page.goto(`${server.url}/login`)
  const submit = page.getByRole('button', { name: 'Sign in' })
  await submit.click()
  await page.getByText('Enter your e-mail address.').waitFor()
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('a wrong guess')

  for (const left of ['4 more tries', '3 more tries', '2 more tries', '1 more try']) {
    await submit.click()
    await page.getByRole('alert').filter({ hasText: left }).waitFor()
  }
  await submit.click()
  const alert = page.getByRole('alert').filter({ hasText: 'this account is locked' })
  await alert.filter({ hasText: 'Try again in 14:5' }).waitFor()
  expect(await submit.isDisabled()).toBe(true)

  // Another account is not.
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await submit.click()
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
})

test('signing out leaves nothing of the person in the browser except for the theme', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'evaluate'))
  await keepPreset(page, 'Ada')
  await page.reload()
  await page.getByRole('button', { name: 'Presets (1)' }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByText('Dark', { exact: true }).click()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()

  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ 'burgee-color-scheme': 'dark' })
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('signing out works as well where the session has ended already', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'evaluate'))
  await keepPreset(page, 'Ada')
  await page.getByRole('button', { name: 'Presets (1)' }).waitFor()
  const ended = page.getByRole('dialog', { name: 'Your session has ended' })
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.context().clearCookies()
  // A call in the background finds the session ended while the user signs out.
  await page.route('**/api/auth/logout', async (route) => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await ended.waitFor()
    await route.continue()
  })
  // Another call may have opened the dialog already, above the menu.
  await page.getByRole('menuitem', { name: 'Sign out' }).dispatchEvent('click')

  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await ended.waitFor({ state: 'hidden' })
  expect(await page.getByText('You are still signed in').count()).toBe(0)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

test('presets leave with the session; the same person has them back after a login, and another person has none', async (context) => {
  const other = await server.addPerson('grace', 'viewer')
  const { page } = await visit(context, server)
  const stored = () => page.evaluate(() => localStorage.getItem('burgee-evaluate-presets'))
  await page.goto(server.page('production', 'evaluate'))
  await keepPreset(page, 'Ada')
  await page.getByRole('button', { name: 'Presets (1)' }).waitFor()

  await endSession(page)
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  expect(await stored()).toBeNull()
  await signInAgain(page, ADMIN)
  expect(await stored()).toContain('Ada')
  await page.getByRole('button', { name: 'Presets (1)' }).waitFor()

  await endSession(page)
  await signInAgain(page, other)
  await page.getByRole('button', { name: 'Presets', exact: true }).click()
  await page.getByText('Save users that you evaluate often.').waitFor()
  expect(await page.getByRole('button', { name: 'Ada', exact: true }).count()).toBe(0)
  expect(await stored()).toBeNull()
})

test('the login states when Caps Lock is on and when the server cannot be reached', async (context) => {
  const { page } = await visit(context, server, { as: null })
  await page.goto(`${server.url}/login`)
  const password = page.getByLabel('Password', { exact: true })
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await password.fill(ADMIN.password)

  await password.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await page.getByText('Caps Lock is on').waitFor()
  await password.dispatchEvent('keyup', { key: 'a' })
  await page.getByText('Caps Lock is on').waitFor({ state: 'hidden' })

  await page.route('**/api/auth/login', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor()
})

test('a login never leads to another site', async (context) => {
  const { page } = await visit(context, server, { as: null })
  await page.goto(`${server.url}/login?next=${encodeURIComponent('//evil.example/flags')}`)
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  expect(new URL(page.url()).origin).toBe(server.url)
})

/** Ends the session behind the page's back. */
async function endSession(page: Page): Promise<void> {
  const headers = { 'x-flagservice-request': 'true' }
  await page.context().request.post(`${server.url}/api/auth/logout`, { headers })
}

async function signInAgain(page: Page, person: Person): Promise<void> {
  const login = page.getByRole('dialog', { name: 'Your session has ended' })
  await login.waitFor()
  await fillLogin(page, person)
  await login.waitFor({ state: 'hidden' })
}

async function fillLogin(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Keeps the user on the page of Evaluate as a preset. */
async function keepPreset(page: Page, name: string): Promise<void> {
  await page.getByLabel('User key').fill(name.toLowerCase())
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByLabel('Save this user as').fill(name)
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
}
