import { findBrowser } from '../../scripts/find-browser.mjs'
import { createEnvironments, firstEnvironment } from '../harness/installation.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { ADMIN } from '../harness/start-server.mjs'
import { ONE_TEAM, seedManyFlags } from '../server/seed-many-flags.mjs'
import { entrySize } from './entry-size.mjs'
import { measureRuleTyping } from './type-in-rules.mjs'
import { watchPage } from './watch-page.mjs'

const FEW = 50
const MANY = 5_000
const ROUNDS = 9
const QUICK_ROUNDS = 3
const VIEWPORT = { width: 1440, height: 900 }
const BYTES_PER_KB = 1_000

const GOALS = {
  firstPaint: { atMost: 1_000 },
  interactive: { atMost: 1_500 },
  shift: { atMost: 0.05 },
  entry: { atMost: 250 },
  key: { atMost: 100 },
}

export const dashboard = {
  title: 'Dashboard: cold load of the list of flags in a browser, and typing in its search',
  async run({ postgres, quick, progress, startServer }) {
    const server = await startServer({ databaseUrl: await postgres.createDatabase() })
    const browser = await launchBrowser()
    try {
      progress(`seeding ${MANY} flags`)
      const many = await firstEnvironment(server)
      const [few] = await createEnvironments(server, 1)
      await seedManyFlags(server, few, FEW)
      await seedManyFlags(server, many, MANY)
      const rounds = quick ? QUICK_ROUNDS : ROUNDS
      const rows = []
      for (const [environment, count] of [
        [few, FEW],
        [many, MANY],
      ]) {
        progress(`${rounds} cold loads of ${count} flags`)
        rows.push(await measureLoads(browser, server, environment, { count, rounds }))
      }
      progress('typing')
      const typing = await measureTyping(browser, server, many)
      progress('typing in rules')
      const inRules = await measureRuleTyping({
        open: () => openWindow(browser, server),
        address: (page) => addressOf(page, server, few),
        url: server.url,
        environment: few,
      })
      return [
        { columns: LOAD_COLUMNS, rows },
        { columns: ['Measure', 'figure'], rows: [await sizeRow(server), ...typing] },
        inRules,
      ]
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

const LOAD_COLUMNS = [
  'Flags',
  'first contentful paint',
  'first flag can be clicked',
  'slowest of these',
  'layout shift, largest',
]

/** Measures each load in its own window, with nothing cached. */
async function measureLoads(browser, server, environment, { count, rounds }) {
  const loads = []
  for (let round = 0; round < rounds; round++) {
    const { page, close } = await openWindow(browser, server)
    await page.goto(await addressOf(page, server, environment))
    await page.waitForFunction(() => globalThis.watched.interactive_ms !== null)
    // Later content may still shift the layout.
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    loads.push(await page.evaluate(() => globalThis.watched))
    await close()
  }
  const of = (field) => loads.map((load) => load[field])
  return [
    count.toLocaleString('en-US'),
    figure(percentile(of('first_paint_ms'), 50), 'ms', GOALS.firstPaint),
    figure(percentile(of('interactive_ms'), 50), 'ms', GOALS.interactive),
    figure(Math.max(...of('interactive_ms')), 'ms'),
    figure(Math.max(...of('shift')), '', GOALS.shift),
  ]
}

/** Types a word letter by letter and deletes it, without waiting. */
async function measureTyping(browser, server, environment) {
  const { page, close } = await openWindow(browser, server)
  await page.goto(await addressOf(page, server, environment))
  await page.waitForFunction(() => globalThis.watched.interactive_ms !== null)
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
  await page.locator('[data-page-search]').first().click()
  await page.evaluate(() => globalThis.watched.forgetKeys())
  await page.keyboard.type(ONE_TEAM.word, { delay: 120 })
  for (const _letter of ONE_TEAM.word) await page.keyboard.press('Backspace', { delay: 60 })
  await page.keyboard.type('flag-00042', { delay: 120 })
  const { keysMs, tasksMs } = await page.evaluate(() => globalThis.watched)
  await close()
  return [
    [`key until the next frame, ${MANY} flags, slowest`, figure(Math.max(0, ...keysMs), 'ms', GOALS.key)],
    ['longest task of the page meanwhile', figure(Math.max(0, ...tasksMs), 'ms')],
  ]
}

async function sizeRow(server) {
  return [
    'code before the first page, gzip',
    figure((await entrySize(server.url)) / BYTES_PER_KB, 'KB', GOALS.entry),
  ]
}

async function openWindow(browser, server) {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const login = await context.request.post(`${server.url}/api/auth/login`, { data: ADMIN })
  if (!login.ok()) throw new Error(`the login returned ${login.status()}`)
  await context.addInitScript(watchPage)
  const page = await context.newPage()
  return { page, close: () => context.close() }
}

async function addressOf(page, { url }, { environment_id }) {
  const read = async (path) => (await page.context().request.get(`${url}/api/${path}`)).json()
  for (const { id } of await read('projects')) {
    const environments = await read(`projects/${id}/environments`)
    if (environments.some((environment) => environment.id === environment_id)) {
      return `${url}/projects/${id}/environments/${environment_id}/flags`
    }
  }
  throw new Error('no project has the environment')
}

async function launchBrowser() {
  const { chromium } = await import('playwright-core')
  const executablePath = await findBrowser()
  return chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
}
