import { type Browser, chromium } from 'playwright-core'
import { inject, onTestFinished, type TestContext } from 'vitest'
import { BROWSER_ARGUMENTS } from './browser-arguments.ts'
import { chooseBrowser } from './choose-browser.ts'
import type {} from './prepare-browser.ts'
import { skipBecause } from './skip-because.ts'

/** Starts a real browser for the running test, which is closed at its end. */
export async function launchBrowser(context: TestContext): Promise<Browser> {
  const browser = await startBrowser(context)
  onTestFinished(() => browser.close())
  return browser
}

/**
 * Starts a real browser that the caller closes. It fails the test when none starts, and skips it when
 * `SKIP_BROWSER_TESTS` is set.
 */
export async function startBrowser(context: TestContext): Promise<Browser> {
  const choice = chooseBrowser(inject('browser'), process.env)
  if ('skipped' in choice) return skipBecause(context, choice.skipped)
  return chromium.launch({ executablePath: choice.path, args: BROWSER_ARGUMENTS })
}
