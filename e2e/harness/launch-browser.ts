import { existsSync } from 'node:fs'
import packagedChromium from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { onTestFinished, type TestContext } from 'vitest'
import { skipBecause } from './skip-because.ts'

const SYSTEM_CHROMIUM = '/usr/bin/chromium'
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real browser for the running test, closed when it ends. Skips the test where none starts. */
export async function launchBrowser(context: TestContext): Promise<Browser> {
  const browser = await startBrowser(context)
  onTestFinished(() => browser.close())
  return browser
}

/** A real browser for whoever closes it: the system's, or the one that comes through npm. Skips the test where neither starts. */
export async function startBrowser(context: TestContext): Promise<Browser> {
  const executablePath = existsSync(SYSTEM_CHROMIUM)
    ? SYSTEM_CHROMIUM
    : await packagedChromium.executablePath()
  return chromium.launch({ executablePath, args: ARGS }).catch((error: unknown) => {
    return skipBecause(context, `no browser starts here: ${reasonOf(error)}`)
  })
}

/** Of pages of output, the line about what is missing. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /error while loading shared libraries.*/.exec(text)?.[0] ?? text.split('\n')[0] ?? text
}
