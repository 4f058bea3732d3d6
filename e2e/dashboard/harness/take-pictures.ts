import type { Page } from 'playwright-core'

const WIDTHS = [1280, 390]

/** Writes pictures of a page to the folder SHOTS, wide and narrow, light and dark; without it nothing. */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  for (const width of WIDTHS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png` })
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}
