import { type Browser, chromium } from 'playwright-core'
import { inject, onTestFinished, type TestContext } from 'vitest'
import { BROWSER_ARGUMENTS } from './browser-arguments.ts'
import { chooseBrowser } from './choose-browser.ts'
import type {} from './prepare-browser.ts'
import { skipBecause } from './skip-because.ts'

/** A real browser for the running test, closed when it ends. */
export async function launchBrowser(context: TestContext): Promise<Browser> {
  const browser = await startBrowser(context)
  onTestFinished(() => browser.close())
  return browser
}

/**
 * A real browser that the caller closes. Fails the test where none starts, and skips it where
 * `SKIP_BROWSER_TESTS` asks for that.
 */
export async function startBrowser(context: TestContext): Promise<Browser> {
  const choice = chooseBrowser(inject('browser'), process.env)
  if ('skipped' in choice) return skipBecause(context, choice.skipped)
  return chromium.launch({ executablePath: choice.path, args: BROWSER_ARGUMENTS })
}
