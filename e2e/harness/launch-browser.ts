import { type Browser, chromium } from 'playwright-core'
import { inject, onTestFinished, type TestContext } from 'vitest'
import { BROWSER_ARGUMENTS } from './browser-arguments.ts'
import type {} from './prepare-browser.ts'
import { skipBecause } from './skip-because.ts'

/** A real browser for the running test, closed when it ends. Skips the test where none starts. */
export async function launchBrowser(context: TestContext): Promise<Browser> {
  const browser = await startBrowser(context)
  onTestFinished(() => browser.close())
  return browser
}

/** A real browser that the caller closes. Skips the test on a machine where none starts; fails it where one started before the tests. */
export async function startBrowser(context: TestContext): Promise<Browser> {
  const browser = inject('browser')
  if ('problem' in browser) return skipBecause(context, `no browser starts here: ${browser.problem}`)
  return chromium.launch({ executablePath: browser.path, args: BROWSER_ARGUMENTS })
}
