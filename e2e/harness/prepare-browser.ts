import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findBrowser } from '../../scripts/find-browser.mjs'
import { BROWSER_ARGUMENTS } from './browser-arguments.ts'

/** The browser of this run: its path and the address at which it serves, or the reason why none starts. */
export type PreparedBrowser =
  | { readonly path: string; readonly address: string }
  | { readonly problem: string }

declare module 'vitest' {
  interface ProvidedContext {
    browser: PreparedBrowser
  }
}

/**
 * Unpacks the browser and starts it, before the first worker; all workers share it. When none starts, the
 * tests that need one fail with the reason.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    const path = await findBrowser()
    const browser = await chromium.launchServer({
      executablePath: path,
      args: BROWSER_ARGUMENTS,
      host: '127.0.0.1',
    })
    project.provide('browser', { path, address: browser.wsEndpoint() })
    return () => browser.close()
  } catch (error) {
    project.provide('browser', { problem: reasonOf(error) })
    return () => Promise.resolve()
  }
}

/** Returns the line about what is missing, from pages of output. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /error while loading shared libraries.*/.exec(text)?.[0] ?? text.split('\n')[0] ?? text
}
