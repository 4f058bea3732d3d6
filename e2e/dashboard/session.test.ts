import { expect, test } from 'vitest'
import { ADMIN } from '../harness/start-server.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

test('when a session ends, the login comes to the page, what was typed stays, and work goes on', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'segments'))
  await page.getByRole('button', { name: 'Create segment' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create segment' })
  await form.getByLabel('Name').fill('Beta testers')

  await page.context().request.post(`${server.url}/api/auth/logout`, {
    headers: { 'x-flagservice-request': 'true' },
  })
  await form.getByRole('button', { name: 'Create segment' }).click()

  const login = page.getByRole('dialog', { name: 'Your session has ended' })
  await login.waitFor()
  expect(await login.getByLabel('E-mail').inputValue()).toBe(ADMIN.email)
  await login.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await login.getByRole('button', { name: 'Log in' }).click()
  await login.waitFor({ state: 'hidden' })
  expect(await form.getByLabel('Name').inputValue()).toBe('Beta testers')
  await form.getByRole('button', { name: 'Create segment' }).click()

  await form.waitFor({ state: 'hidden' })
  const segments = await server.call('GET', `/api/environments/${server.environments.staging}/segments`)
  expect(segments).toMatchObject([{ name: 'Beta testers' }])
})

test('five wrong guesses lock an account, and the page says so in words, counting down', async (context) => {
  const { page } = await visit(context, server, { as: null })
  const person = await server.addPerson('locked', 'viewer')
  await page.goto(`${server.url}/login`)
  const submit = page.getByRole('button', { name: 'Log in' })
  await submit.click()
  await page.getByText('Enter your e-mail address.').waitFor()
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('a wrong guess')

  for (const left of ['4 more tries', '3 more tries', '2 more tries', 'One more try']) {
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

test('signing out leaves nothing of the person in the browser, but for the colours', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'evaluate'))
  await page.getByLabel('User key').fill('ada')
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByLabel('Keep this user as').fill('Ada')
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Presets (1)' }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByText('Dark', { exact: true }).click()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()

  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ 'burgee-colour-scheme': 'dark' })
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('the login says when Caps Lock is on and when the server cannot be reached', async (context) => {
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
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor()
})

test('a login leads to no other site', async (context) => {
  const { page } = await visit(context, server, { as: null })
  await page.goto(`${server.url}/login?next=${encodeURIComponent('//evil.example/flags')}`)
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Log in' }).click()

  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  expect(new URL(page.url()).origin).toBe(server.url)
})
