import { type Browser, chromium } from 'playwright-core'
import { inject, onTestFinished, type TestContext } from 'vitest'
import { BROWSER_ARGUMENTS } from './browser-arguments.ts'
import { chooseBrowser } from './choose-browser.ts'
import type {} from './prepare-browser.ts'
import { skipBecause } from './skip-because.ts'

/** Opens the run's browser for the running test, and closes the test's windows at its end. */
export async function launchBrowser(context: TestContext): Promise<Browser> {
  const browser = await startBrowser(context)
  onTestFinished(() => browser.close())
  return browser
}

/**
 * Opens the run's browser, or another one if that has ended; closing it closes the caller's windows only. It
 * fails the test when none starts, and skips it when `SKIP_BROWSER_TESTS` is set.
 */
export async function startBrowser(context: TestContext): Promise<Browser> {
  const choice = chooseBrowser(inject('browser'), process.env)
  if ('skipped' in choice) return skipBecause(context, choice.skipped)
  const { address, path } = choice
  return chromium
    .connect(address)
    .catch(() => chromium.launch({ executablePath: path, args: BROWSER_ARGUMENTS }))
}
