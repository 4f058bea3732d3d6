import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN } from '../harness/start-server.ts'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()

/** Makes every session too old for what needs a recent login. */
const ageSessions = () =>
  server.runSql("update sessions set authenticated_at = now() - interval '11 minutes'", [])

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

async function fillTokenForm(page: Page, name: string) {
  await page.goto(`${server.url}/account`)
  await page.getByRole('button', { name: 'Create token' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByLabel('Name').fill(name)
  return form.getByRole('button', { name: 'Create token' })
}

test('an old session asks for the password, and what was being done goes on', async (context) => {
  const { page } = await visit(context, server)
  const create = await fillTokenForm(page, 'Release script')
  await ageSessions()

  await create.click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Password', { exact: true }).fill('a wrong guess')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByRole('alert').filter({ hasText: '4 more tries' }).waitFor()
  await takePictures(page, 'confirm-identity')
  await expectAccessible(page)
  await dialog.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()

  await page.getByRole('dialog', { name: 'Store the token now' }).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('list', { name: 'Tokens' }).getByText('Release script').waitFor()
})

test('someone who does not confirm keeps what was typed, and nothing is done', async (context) => {
  const { page } = await visit(context, server)
  const create = await fillTokenForm(page, 'Never made')
  await ageSessions()

  await create.click()
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()

  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByRole('alert').waitFor()
  expect(await form.getByLabel('Name').inputValue()).toBe('Never made')
  const tokens: { name: string }[] = await server.call('GET', '/api/tokens')
  expect(tokens.map(({ name }) => name)).not.toContain('Never made')
})
