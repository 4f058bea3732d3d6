import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findBrowser } from '../../scripts/find-browser.mjs'
import { BROWSER_ARGUMENTS } from './browser-arguments.ts'

/** The browser of this run: where it is, or why none starts. */
export type PreparedBrowser = { readonly path: string } | { readonly problem: string }

declare module 'vitest' {
  interface ProvidedContext {
    browser: PreparedBrowser
  }
}

/**
 * Unpacks the browser and starts it once, before the first worker. On a machine that runs tests unattended (`CI`) a browser that does
 * not start fails the run, unless shared libraries of the system are missing: those may be nobody's to install.
 */
export async function setup(project: TestProject): Promise<void> {
  const browser = await tryBrowser()
  if ('problem' in browser && isUnattended() && !/shared libraries/.test(browser.problem))
    throw new Error(`no browser starts here: ${browser.problem}`)
  project.provide('browser', browser)
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

const isUnattended = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '')

/** Of pages of output, the line about what is missing. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /error while loading shared libraries.*/.exec(text)?.[0] ?? text.split('\n')[0] ?? text
}
