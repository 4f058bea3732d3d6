import { browserInstruction } from '../../scripts/browser-instruction.mjs'
import type { PreparedBrowser } from './prepare-browser.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Returns the browser for a test, or the reason for skipping it: `SKIP_BROWSER_TESTS` is set. Throws with an
 * instruction when no browser starts.
 */
export function chooseBrowser(
  browser: PreparedBrowser,
  env: Variables,
): { readonly path: string; readonly address: string } | { readonly skipped: string } {
  if (isSet(env.SKIP_BROWSER_TESTS)) return { skipped: 'SKIP_BROWSER_TESTS is set' }
  if ('problem' in browser) throw new Error(browserInstruction(browser.problem))
  return browser
}

const isSet = (value = ''): boolean => !['', '0', 'false'].includes(value)
