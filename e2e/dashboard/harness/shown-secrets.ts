import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Returns the secret that the open dialog shows once; it is nowhere on the page before it is requested. */
export async function revealSecret(page: Page, pattern: RegExp): Promise<string> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show the secret' }).waitFor()
  expect(await dialog.getByText(pattern).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Show the secret' }).click()
  return (await dialog.getByText(pattern).textContent()) ?? ''
}

/** Closes the dialog of a secret, which is possible once the person states that it is stored. */
export async function storeAndClose(page: Page): Promise<void> {
  const done = page.getByRole('button', { name: 'Done' })
  expect(await done.isDisabled()).toBe(true)
  await page.getByRole('dialog').getByRole('checkbox').check()
  await done.click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Expects the secret neither in the page, nor in its address, nor in what the browser stores. */
export async function expectGone(page: Page, secret: string): Promise<void> {
  expect(await page.content()).not.toContain(secret)
  expect(page.url()).not.toContain(secret)
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain(secret)
}
