import { expect, test } from 'vitest'
import { environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { launchBrowser } from './harness/launch-browser.ts'
import { openStage } from './harness/open-stage.ts'
import { readPage, settled } from './harness/read-page.ts'
import { serveReact } from './harness/serve-react.ts'
import { startServer } from './harness/start-server.ts'

const FLAGS = [
  { key: 'banner', flag_type: 'string', default_value: 'sea' },
  { key: 'checkout', flag_type: 'boolean', default_value: true },
  { key: 'beta', rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'] }], default_value: false },
  { key: 'legacy', flag_type: 'string', default_value: 'old', is_enabled: false },
]
const FLAG_KEYS = [...FLAGS.map(({ key }) => key), 'unknown']

test('a page of React hydrates with what the server rendered, and follows flags and users', async (context) => {
  const browser = await launchBrowser(context)
  const stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  const environment_id = await environmentOf(server.url)
  for (const flag of FLAGS) await putFlag(server.url, environment_id, flag)
  const addressOf = await serveReact(stage, server.url)
  const page = await browser.newPage()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`${server.url}/stream`, async (route) => {
    await released
    await route.continue()
  })

  // While it connects, the page shows what the server rendered.
  await page.goto(addressOf({ user: { key: 'anna' }, flagKeys: FLAG_KEYS }))
  await page.waitForFunction((count) => Object.keys(commits).length === count, FLAG_KEYS.length)
  const rendered = [
    'banner: true sea sea',
    'checkout: true true true',
    'beta: false false false',
    'legacy: false none none',
    'unknown: false none none',
  ]
  expect(await readPage(page)).toEqual({ lines: rendered, mismatches: [], changes: [], isReady: false })

  release()
  await settled(page)
  expect(await readPage(page)).toEqual({ lines: rendered, mismatches: [], changes: [], isReady: true })

  // A change renders the one component that reads it.
  const before = await page.evaluate(() => ({ ...commits }))
  await patchFlag(server.url, environment_id, 'banner', { default_value: 'coral' })
  await page.locator('#banner', { hasText: 'coral coral' }).waitFor()
  expect(await page.evaluate(() => commits)).toEqual({ ...before, banner: (before.banner ?? 0) + 1 })

  await page.evaluate(() => setUser({ key: 'bo', attributes: { plan: 'pro' } }))
  await page.locator('#beta', { hasText: 'true true' }).waitFor()
  expect((await readPage(page)).lines).toEqual(
    rendered.with(0, 'banner: true coral coral').with(2, 'beta: true true true'),
  )

  // The same user again is no change.
  const unchanged = await page.evaluate(() => ({ ...commits }))
  await page.evaluate(() => setUser({ attributes: { plan: 'pro' }, key: 'bo' }))
  await page.locator('#buy').click()
  expect(await page.evaluate(() => client.status.goals.pending)).toBe(1)
  expect(await page.evaluate(() => commits)).toEqual(unchanged)
})

test('a page without the values of the server flashes, which the test of hydration notices', async (context) => {
  const browser = await launchBrowser(context)
  const stage = openStage()
  const server = await startServer(stage, { databaseUrl: await cloneDatabase() })
  await putFlag(server.url, await environmentOf(server.url), { key: 'checkout', default_value: true })
  const addressOf = await serveReact(stage, server.url)
  const page = await browser.newPage()
  await page.goto(addressOf({ user: { key: 'anna' }, flagKeys: ['checkout'], isHydrated: false }))
  await settled(page)
  const { changes, mismatches } = await readPage(page)
  expect(mismatches).toHaveLength(1)
  expect(changes.length).toBeGreaterThan(0)
})
