import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { startBrowser } from '../harness/launch-browser.ts'
import { openStage } from '../harness/open-stage.ts'
import { runProcess } from '../harness/run-process.ts'

const DEMO = fileURLToPath(new URL('../../examples/demo/main.mjs', import.meta.url))
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')
/** The demo fills in a month of visitors first. */
const PATIENCE_MS = 240_000
const ACTION_MS = 30_000

/** A sentence of the README that the next lines of the test follow. */
const follow = (sentence: string) => expect(README).toContain(sentence)

test('the first journey of the README works word for word', { timeout: PATIENCE_MS }, async (context) => {
  const stage = openStage()
  const ports = { PORT: String(await freePort()), SHOP_PORT: String(await freePort()) }
  follow('npm run demo')
  const demo = runProcess(stage, process.execPath, {
    args: [DEMO],
    cwd: stage.folder('working-folder'),
    env: { ...ports, DATA_DIR: stage.folder('data') },
  })
  // Its server and shop end with it only where it is asked to end, also when the test fails.
  onTestFinished(async () => {
    demo.kill('SIGTERM')
    await demo.exited
  })
  follow(
    'The shop http://localhost:4000 Burgee http://localhost:3000 (demo@example.com, demo-password) The flag',
  )
  const address = async (name: string) =>
    (await demo.line(new RegExp(`^${name} +http`))).split(/\s+/)[2] ?? ''
  const [shopUrl, flagUrl] = [await address('The shop'), await address('The flag')]
  const browser = await startBrowser(context)
  onTestFinished(() => browser.close())
  const shop = await browser.newPage()
  const dashboard = await browser.newPage()
  for (const page of [shop, dashboard]) page.setDefaultTimeout(ACTION_MS)

  follow('Open the shop and the flag in a browser, side by side, and sign in.')
  await shop.goto(shopUrl)
  await shop.getByText('Add to basket').first().waitFor()
  await dashboard.goto(flagUrl)
  await dashboard.getByLabel('E-mail').fill('demo@example.com')
  await dashboard.getByRole('textbox', { name: 'Password' }).fill('demo-password')
  await dashboard.getByRole('button', { name: 'Sign in' }).click()
  await dashboard.waitForURL(flagUrl)

  follow('Turn the flag on in **Production**, which the shop is connected to.')
  await turn(dashboard, 'on')
  follow('The shop changes without a reload.')
  await shop.getByText('Buy now').first().waitFor()
  follow('Turn it off and it changes back.')
  await turn(dashboard, 'off')
  await shop.getByText('Add to basket').first().waitFor()

  // Someone who opens Burgee itself lands where the shop is connected, and not in the default environment.
  const newcomer = await browser.newContext()
  const home = await newcomer.newPage()
  await home.goto(`http://localhost:${ports.PORT}/`)
  await home.getByLabel('E-mail').fill('demo@example.com')
  await home.getByRole('textbox', { name: 'Password' }).fill('demo-password')
  await home.getByRole('button', { name: 'Sign in' }).click()
  await home.waitForURL(`${flagUrl.replace(/\/new-checkout$/, '')}`)
  await home
    .getByRole('button', { name: /Production/ })
    .first()
    .waitFor()
  await home.keyboard.press('e')
  await home.keyboard.type('Development')
  await home.keyboard.press('Enter')
  await home.getByText('No program is connected to Development').waitFor()

  demo.kill('SIGTERM')
  expect(await demo.exited).toBe(0)
})

async function turn(page: Page, way: 'on' | 'off'): Promise<void> {
  await page.getByRole('switch', { name: 'new-checkout is on in Production' }).click({ force: true })
  const question = page.getByRole('dialog', { name: `Turn ${way} new-checkout` })
  await question.getByRole('button', { name: `Turn ${way}` }).click()
}
