import { expect, test } from 'vitest'
import { environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { launchBrowser } from './harness/launch-browser.ts'
import { openStage } from './harness/open-stage.ts'
import { readPage, settled } from './harness/read-page.ts'
import { serveReact } from './harness/serve-react.ts'
import { startServer } from './harness/start-server.ts'

const PAGES = 200
const COMPONENTS = 1_000
const SECONDS = 1_000

test(
  '200 pages of as many users hydrate without a mismatch and without a flash',
  async (context) => {
    const browser = await launchBrowser(context)
    const stage = openStage()
    const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
    const environment_id = await environmentOf(server.url)
    // Most users differ from each other, and from the fallbacks.
    for (let index = 0; index < 10; index += 1) {
      await putFlag(server.url, environment_id, {
        key: `share-${index}`,
        flag_type: 'string',
        default_value: 'other',
        disabled_value: null,
        rollout_percentage: 50,
        variants: [
          { value: 'one', weight: 50 },
          { value: 'two', weight: 50 },
        ],
      })
    }
    const flagKeys = Array.from({ length: 10 }, (_, index) => `share-${index}`)
    const addressOf = await serveReact(stage, server.url)
    const page = await browser.newPage()
    const shown = new Set<string>()
    let mismatches = 0
    let flashes = 0

    for (let user = 0; user < PAGES; user += 1) {
      await page.goto(addressOf({ user: { key: `user-${user}` }, flagKeys }))
      await settled(page)
      const read = await readPage(page)
      shown.add(read.lines.join())
      mismatches += read.mismatches.length
      flashes += read.changes.length
    }

    process.stdout.write(
      `${PAGES} pages, ${shown.size} different: ${mismatches} mismatches, ${flashes} flashes\n`,
    )
    expect({ mismatches, flashes }).toEqual({ mismatches: 0, flashes: 0 })
    expect(shown.size).toBeGreaterThan(PAGES / 2)
  },
  300 * SECONDS,
)

test(
  'a change renders one of 1,000 components',
  async (context) => {
    const browser = await launchBrowser(context)
    const stage = openStage()
    const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
    const environment_id = await environmentOf(server.url)
    const flagKeys = Array.from({ length: COMPONENTS }, (_, index) => `flag-${index}`)
    for (const key of flagKeys) await putFlag(server.url, environment_id, { key, default_value: false })
    const addressOf = await serveReact(stage, server.url)
    const page = await browser.newPage()
    await page.goto(addressOf({ user: { key: 'anna' }, flagKeys }))
    await settled(page)

    for (const key of ['flag-0', 'flag-500', 'flag-999']) {
      const before = await page.evaluate(() => ({ ...commits }))
      await patchFlag(server.url, environment_id, key, { default_value: true })
      await page.locator(`#${key}`, { hasText: 'true true true' }).waitFor()
      expect(await page.evaluate(() => commits)).toEqual({ ...before, [key]: (before[key] ?? 0) + 1 })
    }
    expect((await readPage(page)).mismatches).toEqual([])
  },
  300 * SECONDS,
)
