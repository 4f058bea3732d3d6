import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { NAUGHTY_STRINGS } from './naughty-strings.ts'

const LANES = 8
/** The length of a row's text that is compared: lists cut longer texts. */
const SEEN_LENGTH = 24
/** One in so many is also opened by itself. */
const OPENED_STEP = 40

const server = serveDashboard()
const keyOf = (index: number) => `naughty-${String(index).padStart(3, '0')}`
const api = (path: string) => `/api/environments/${server.environments.staging}/${path}`

beforeAll(async () => {
  const waiting = [...NAUGHTY_STRINGS.entries()]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, description] = next
      await server.call('POST', api('flags'), { key: keyOf(index), description, is_enabled: true })
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
})

test('there are 515 naughty strings and more', () => {
  expect(NAUGHTY_STRINGS.length).toBeGreaterThanOrEqual(515)
})

// `visit` fails a test whose page opens a dialog, breaks its policy, throws, or writes an error.

test('naughty descriptions are shown as text in the list of flags', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByText(keyOf(0)).first().waitFor()

  const seen = await readWhileScrolling(page, keyOf(NAUGHTY_STRINGS.length - 1))

  const missing = NAUGHTY_STRINGS.filter((text) => !seen.includes(shown(text).slice(0, SEEN_LENGTH)))
  expect(missing).toEqual([])
  expect(await foreignElements(page)).toEqual([])
  expect(await widerThanWindow(page)).toBeLessThanOrEqual(0)
})

test("naughty descriptions are shown as text on the flag's page", async (context) => {
  const { page } = await visit(context, server, { viewport: { width: 375, height: 812 } })
  for (let index = 0; index < NAUGHTY_STRINGS.length; index += OPENED_STEP) {
    const text = shown(NAUGHTY_STRINGS[index] ?? '').slice(0, SEEN_LENGTH)
    await page.goto(server.page('staging', `flags/${keyOf(index)}`))

    await expect.poll(async () => (await readTexts(page)).includes(text), { timeout: 10_000 }).toBe(true)
    expect(await foreignElements(page)).toEqual([])
    expect(await widerThanWindow(page)).toBeLessThanOrEqual(0)
  }
})

test('naughty impression values are shown as text in the stream', async (context) => {
  const values = NAUGHTY_STRINGS.slice(0, 500)
  const impressions = values.map((value, index) => ({ flag_key: keyOf(index), user_id: value, value }))
  await server.call('POST', api('impressions'), impressions)
  const { page } = await visit(context, server)

  await page.goto(server.page('staging', 'impressions?tab=stream'))
  const newest = shown(values.at(-1) ?? '').slice(0, SEEN_LENGTH)

  await expect.poll(async () => (await readTexts(page)).includes(newest), { timeout: 10_000 }).toBe(true)
  expect(await foreignElements(page)).toEqual([])
  expect(await widerThanWindow(page)).toBeLessThanOrEqual(0)
})

/**
 * The visible part of a text: without white space, controls and marks of direction, which a page may show or
 * leave out.
 */
const shown = (text: string): string => text.replace(/[\p{C}\p{Z}]/gu, '')

/** The page's text and the values of its fields. */
async function readTexts(page: Page): Promise<string> {
  const texts = await page.evaluate(() => [
    document.querySelector('main')?.textContent ?? '',
    ...Array.from(
      document.querySelectorAll<HTMLTextAreaElement>('main textarea, main input'),
      ({ value }) => value,
    ),
  ])
  return shown(texts.join(' '))
}

/** All that a virtual list shows on the way to its end. */
async function readWhileScrolling(page: Page, lastKey: string): Promise<string> {
  const seen: string[] = []
  await page.getByText(keyOf(0)).first().hover()
  for (let text = ''; !text.includes(lastKey); ) {
    text = await readTexts(page)
    seen.push(text)
    await page.mouse.wheel(0, 500)
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
  }
  return seen.join(' ')
}

/** Elements that no page of ours has, and attributes that would run. */
const foreignElements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Array.from(
      document.querySelectorAll(
        'main :is(script, iframe, object, embed, base, meta, link, style, video, math, template, img[src="x"], [onerror], [onload], [onclick], a[href^="javascript:"])',
      ),
      ({ outerHTML }) => outerHTML,
    ),
  )

const widerThanWindow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
