import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findBrowser } from '../../scripts/find-browser.mjs'
import { BROWSER_ARGUMENTS } from './browser-arguments.ts'

/** The browser of this run: its path, or the reason why none starts. */
export type PreparedBrowser = { readonly path: string } | { readonly problem: string }

declare module 'vitest' {
  interface ProvidedContext {
    browser: PreparedBrowser
  }
}

/**
 * Unpacks the browser and starts it once, before the first worker. When none starts, the tests that need one
 * fail with the reason.
 */
export async function setup(project: TestProject): Promise<void> {
  project.provide('browser', await tryBrowser())
}

async function tryBrowser(): Promise<PreparedBrowser> {
  try {
    const path = await findBrowser()
    await (await chromium.launch({ executablePath: path, args: BROWSER_ARGUMENTS })).close()
    return { path }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}

/** Returns the line about what is missing, from pages of output. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /error while loading shared libraries.*/.exec(text)?.[0] ?? text.split('\n')[0] ?? text
}
