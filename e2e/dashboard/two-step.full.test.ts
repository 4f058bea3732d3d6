import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { totpCode, totpStep } from '../../packages/server/src/identity/second-factors/totp.ts'
import { fromBase32 } from '../../packages/server/test/harness/second-factors.ts'
import { ADMIN } from '../harness/start-server.ts'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()

const codeOf = (secret: string, stepsAhead: number) =>
  totpCode(fromBase32(secret), totpStep(Date.now()) + stepsAhead)

/** Lets the last used step be used again: a test goes through several within half a minute. */
const forgetSteps = () => server.runSql('update totp_secrets set last_step = null', [])

async function enterPassword(page: Page) {
  await page.goto(`${server.url}/login`)
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('an authenticator app is added, and the login and a confirmation ask for its code', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/account?tab=password`)
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await dialog.getByRole('img', { name: 'QR code' }).waitFor()
  await expectAccessible(page)
  await takePictures(page, 'two-step-add')
  await dialog.getByRole('button', { name: 'Enter a key instead' }).click()
  const secret = (await dialog.getByLabel('Key for the app').innerText()).replaceAll(/\s/g, '')
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await dialog.getByText('is wrong').waitFor()
  await takePictures(page, 'two-step-wrong')
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  const stored = page.getByRole('dialog', { name: 'Store your recovery codes' })
  const codes = (await stored.getByLabel('Recovery codes').innerText()).split('\n')
  expect(codes).toHaveLength(10)
  await expectAccessible(page)
  await takePictures(page, 'two-step-codes')
  await stored.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('10 of 10 recovery codes are left').waitFor()
  await takePictures(page, 'two-step-account')

  await forgetSteps()
  await server.runSql("update sessions set authenticated_at = now() - interval '11 minutes'", [])
  await page.getByRole('button', { name: 'Renew recovery codes' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirmation.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await confirmation.getByRole('button', { name: 'Confirm' }).click()
  await confirmation.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
  await takePictures(page, 'two-step-confirm')
  await confirmation.getByRole('button', { name: 'Confirm' }).click()
  const renewed = (await stored.getByLabel('Recovery codes').innerText()).split('\n')
  await stored.getByRole('button', { name: 'I have stored them' }).click()

  await forgetSteps()
  await page.context().clearCookies()
  await enterPassword(page)
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: '4 more tries' }).waitFor()
  await takePictures(page, 'two-step-login')
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()

  await page.context().clearCookies()
  await enterPassword(page)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(renewed[0] ?? '')
  await takePictures(page, 'two-step-recovery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
})
