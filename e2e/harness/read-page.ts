import type { Page } from 'playwright-core'
import type { PageWindow } from '../../packages/react/test/site/browser.ts'

declare global {
  /** Variables of the test page of React, for functions that run in it. */
  const { client, changes, commits, mismatches, setUser }: PageWindow
}

/** Reads what a page of React shows, and what happened to it since the browser has read it. */
export const readPage = (
  page: Page,
): Promise<{ lines: string[]; mismatches: string[]; changes: readonly string[]; isReady: boolean }> =>
  page.evaluate(() => ({
    lines: [...document.querySelectorAll('li')].map(({ textContent }) => textContent),
    mismatches,
    changes,
    isReady: document.querySelector('meter')?.dataset.ready === 'true',
  }))

/** Waits until a page has the flags of the server and has shown what follows from them. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('meter')?.dataset.ready === 'true')
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
