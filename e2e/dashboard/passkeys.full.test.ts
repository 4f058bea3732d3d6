import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN } from '../harness/start-server.ts'
import { expectAccessible } from './harness/expect-accessible.ts'
import { type Person, serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()

/** Browsers have passkeys at the name of the machine, and none at its IP address. */
const local = () => server.url.replace('127.0.0.1', 'localhost')

/** A passkey provider in the browser, which responds at once. */
interface Authenticator {
  setVerified(isVerified: boolean): Promise<void>
}

async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setVerified: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

/** Makes the browser one without offers in fields: it would take them before a button is pressed. */
function withoutOffers() {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false
}

async function enterPassword(page: Page, { email, password }: Person = ADMIN) {
  await page.goto(`${local()}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
const untilLoggedIn = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor({ state: 'visible' })
/** Makes the logins of browsers old, and not that of the test itself. */
const makeLoginsOld = () =>
  server.runSql(
    "update sessions set authenticated_at = now() - interval '11 minutes' where user_agent like '%Chrome%'",
    [],
  )

test('a passkey is added, signs in alone and after a password, confirms, and is removed', async (context) => {
  const { page } = await visit(context, server, { as: null })
  const authenticator = await addAuthenticator(page)
  await page.addInitScript(withoutOffers)
  await enterPassword(page)
  await untilLoggedIn(page)

  await page.goto(`${local()}/account?tab=password`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await expectAccessible(page)
  await authenticator.setVerified(false)
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'No passkey was created.' }).waitFor()
  await takePictures(page, 'passkey-add')
  await authenticator.setVerified(true)
  await dialog.getByLabel('Name').fill('My laptop')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  const stored = page.getByRole('dialog', { name: 'Store your recovery codes' })
  expect((await stored.getByLabel('Recovery codes').innerText()).split('\n')).toHaveLength(10)
  await stored.getByRole('button', { name: 'I have stored them' }).click()
  const passkeys = page.getByRole('list', { name: 'Passkeys' })
  await passkeys.getByText('not used yet').waitFor()
  await expectAccessible(page)

  await takePictures(page, 'passkey-account')
  await makeLoginsOld()
  await page.getByRole('button', { name: 'Rename My laptop' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename passkey' })
  await renaming.getByLabel('Name').fill('Work laptop')
  await renaming.getByRole('button', { name: 'Rename passkey' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirmation.getByRole('button', { name: 'Confirm with a passkey' }).waitFor()
  await expectAccessible(page)
  await takePictures(page, 'passkey-confirm')
  await confirmation.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await passkeys.getByText('Work laptop').waitFor()

  await page.context().clearCookies()
  await page.goto(`${local()}/login`)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await untilLoggedIn(page)

  await page.context().clearCookies()
  await enterPassword(page)
  await page.getByText('Confirm with one of your passkeys that it is you.').waitFor()
  await takePictures(page, 'passkey-step')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await untilLoggedIn(page)

  await page.goto(`${local()}/workspace?tab=general`)
  await page.getByText('Each person adds a passkey or an authenticator app').waitFor()
  await page.getByRole('switch', { name: 'Require a second factor' }).check({ force: true })
  const policy = page.getByRole('region', { name: 'Two-step verification' })
  await policy.getByRole('button', { name: 'Save' }).click()
  await takePictures(page, 'second-factor-policy')
  await page.getByText('A second factor is required now.').waitFor()
  await page.goto(`${local()}/account?tab=password`)
  const removal = page.getByRole('dialog', { name: 'Remove the passkey Work laptop?' })
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await removal.getByRole('button', { name: 'Remove' }).click()
  await removal.getByText('this is the last one').waitFor()
  await takePictures(page, 'passkey-remove')
  await server.runSql("update workspace set second_factor = 'optional'", [])
  await removal.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The passkey is removed.').waitFor()
  await passkeys.waitFor({ state: 'detached' })
})

test('the field of the e-mail address offers the passkeys of the browser', async (context) => {
  const person = await server.addPerson('offered', 'viewer')
  const { page } = await visit(context, server, { as: null })
  await addAuthenticator(page)
  await enterPassword(page, person)
  await untilLoggedIn(page)
  await page.goto(`${local()}/account?tab=password`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('button', { name: 'I have stored them' }).click()

  await page.context().clearCookies()
  await page.goto(`${local()}/login`)

  await untilLoggedIn(page)
})

test('a browser that cannot offer passkeys shows why only after the button is pressed', async (context) => {
  const { page } = await visit(context, server, { as: null })
  await page.addInitScript(() => {
    const offers = Object.assign(globalThis, { offers: 0 })
    PublicKeyCredential.isConditionalMediationAvailable = async () => true
    navigator.credentials.get = async (options) => {
      if (options && 'mediation' in options) offers.offers++
      throw new DOMException("empty 'allowCredentials' lists are not supported", 'NotSupportedError')
    }
  })
  const untilOffers = (count: number) =>
    page.waitForFunction((least) => (globalThis as unknown as { offers: number }).offers >= least, count)
  await page.goto(`${local()}/login`)
  await untilOffers(1)
  expect(await page.getByRole('alert').count()).toBe(0)

  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('alert').filter({ hasText: 'This browser cannot use a passkey here.' }).waitFor()
  await untilOffers(2)
  await takePictures(page, 'passkey-cannot')
  expect(await page.getByRole('alert').allInnerTexts()).toHaveLength(1)
  expect(await page.getByRole('alert').innerText()).not.toContain('allowCredentials')
})

test('at an address without passkeys the account page states it, and the login has none', async (context) => {
  const person = await server.addPerson('elsewhere', 'viewer')
  const { page } = await visit(context, server, { as: person })
  await page.goto(`${server.url}/account?tab=password`)
  await page.getByText('Passkeys need an https address with a host name.').waitFor()
  await takePictures(page, 'passkey-unavailable')
  await page.context().clearCookies()
  await page.goto(`${server.url}/login`)
  await page.getByLabel('E-mail').waitFor()

  expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)
})
