import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

test('the address of an environment shows its name and project on top of every page', async (context) => {
  const { page } = await visit(context, server)

  await page.goto(server.page('staging', 'flags'))

  await page.getByRole('button', { name: 'Environment: Staging' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Flags')
})

test('somebody who is not signed in is asked to, and then sees what they wanted', async (context) => {
  const { page } = await visit(context, server, { as: null })

  await page.goto(server.page('staging', 'segments'))
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Log in' }).click()

  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
  expect(page.url()).toBe(server.page('staging', 'segments'))
})
