import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bearer, callApi } from '../../harness/call-api.ts'
import { openStage } from '../../harness/open-stage.ts'
import { runProcess } from '../../harness/run-process.ts'
import { serveDashboard } from '../harness/open-dashboard.ts'
import { openStory } from '../harness/open-story.ts'

const TOKEN = 'set-up-token-of-the-test'
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))

const server = serveDashboard({ isSetUp: false, env: { SETUP_TOKEN: TOKEN } })
const windowOf = openStory(server)

/** Fills the wizard up to its last button. */
async function fillForm(page: Page): Promise<void> {
  await page.getByLabel('Workspace name').fill('Acme')
  await page.getByLabel('First project').fill('Web shop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
}

test('the address of a new server leads to the wizard, which states where the token is', async (context) => {
  const { page } = await windowOf(context, 'newcomer', { as: null })

  await page.goto(server.url)
  await page.getByRole('heading', { level: 1, name: 'Set up Burgee' }).waitFor()
  expect(await page.getByRole('main').textContent()).toContain('The server prints the token when it starts')

  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Paste the token, or the whole address.').waitFor()
  await page.getByLabel('Setup token').fill('a-wrong-token')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This is not the token.').waitFor()

  await page.getByLabel('Setup token').fill(`${server.url}/setup?token=${TOKEN}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Workspace name').waitFor()
})

test('the token of the printed link leaves the address at once and is stored nowhere', async (context) => {
  const { page } = await windowOf(context, 'newcomer')

  await page.goto(`${server.url}/setup?token=${TOKEN}`)
  await page.getByLabel('Workspace name').waitFor()

  expect(page.url()).toBe(`${server.url}/setup`)
  const kept = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, history.state, document.cookie]),
  )
  expect(kept).not.toContain(TOKEN)
})

test('an invalid value is reported at its field, before anything is created', async (context) => {
  const { page } = await windowOf(context, 'newcomer')

  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Enter a name for the workspace.').waitFor()
  await fillForm(page)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Set up Burgee' }).click()

  await page.getByText('Use at least 8 characters.').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  expect(await page.getByLabel('Workspace name').inputValue()).toBe('Acme')
})

test('from the set-up to the first flag: the copied program connects, turns the page green and receives the flag', async (context) => {
  const stage = openStage()
  const { context: window, page } = await windowOf(context, 'newcomer')
  await window.grantPermissions(['clipboard-read', 'clipboard-write'])
  const other = await windowOf(context, 'slower person', { as: null })
  await other.page.goto(`${server.url}/setup?token=${TOKEN}`)
  await fillForm(other.page)
  await fillForm(page)
  await page.getByRole('button', { name: 'Set up Burgee' }).click()
  await page.getByRole('heading', { level: 1, name: 'Acme is ready' }).waitFor()
  await page.getByText('Waiting for the first SDK to connect').waitFor()

  // A person who was slower sees that the setup is done.
  await other.page.getByRole('button', { name: 'Set up Burgee' }).click()
  await other.page.getByText('Someone else has just set up this server').waitFor()

  // The key is out of sight, and in the copied program.
  await page.getByRole('button', { name: 'Copy the code' }).click()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  const [, key = ''] = /'(sk_live_[\w-]+)'/.exec(code) ?? []
  expect(key).not.toBe('')
  expect(await page.content()).not.toContain(key)

  // The key reads and reports only; the server key of the setup is shown on request.
  expect((await callApi(server.url, 'GET', '/api/projects', undefined, bearer(key))).status).toBe(403)
  await page.getByRole('button', { name: 'Show the server key' }).click()
  await page.getByText('Server key of Production').waitFor()

  // The server has the SDK that the page states to install.
  const tarball = `${server.url}/burgee-sdk.tgz`
  await page.getByText(`npm install ${tarball}`).waitFor()
  const packed = gunzipSync(Buffer.from(await (await fetch(tarball)).arrayBuffer())).toString('latin1')
  expect(packed).toContain('package/dist/index.js')
  const program = runProcess(stage, process.execPath, {
    args: ['--input-type=module', '--eval', code],
    cwd: REPOSITORY,
  })
  await program.line(/^new-checkout is off$/)
  await page.getByRole('status').filter({ hasText: 'Connected: 1 SDK' }).waitFor()

  // The first flag of Production starts off, and is turned on in its page.
  await page.getByRole('button', { name: 'Create your first flag' }).click()
  await page.waitForURL('**/flags/new-checkout')
  await page.getByRole('heading', { level: 1, name: 'new-checkout' }).waitFor()
  await page.getByRole('switch', { name: 'new-checkout is on in Production' }).click({ force: true })
  await page
    .getByRole('dialog', { name: 'Turn on new-checkout' })
    .getByRole('button', { name: 'Turn on' })
    .click()
  await program.line(/^new-checkout is on$/)
})

test('the slower person is led to the login, and comes to the project', async (context) => {
  const { page } = await windowOf(context, 'slower person')

  await page.goto(`${server.url}/setup?token=${TOKEN}`)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByText('to Acme').waitFor()
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('button', { name: 'Project: Web shop' }).waitFor()
})
