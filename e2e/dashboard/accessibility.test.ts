import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { addressOf, type DemoPage, PAGES, settle } from '../../scripts/demo-pages.mjs'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { seedDemo } from './harness/seed-demo.ts'

const ROUTES = new URL('../../packages/dashboard/src/app/routes.tsx', import.meta.url)
/** They lead elsewhere and show nothing. */
const ONLY_LEAD_ON = ['/', '/projects/$project_id/']
const LANES = 3
const NARROW = { width: 375, height: 812 }
/** What is laid out by script has this long to follow the window. */
const FITTING_MS = 3_000
/** Thirty pages on a machine that may be busy. */
const PATIENCE_MS = 400_000

const server = serveDashboard()
beforeAll(() => seedDemo(server))

test('the list of pages holds every route of the dashboard', () => {
  const listed = new Set(PAGES.map(({ route }) => route))
  const routes = readRoutes().filter((route) => !ONLY_LEAD_ON.includes(route))
  expect([...listed].sort()).toEqual(routes.sort())
})

test(
  'axe finds nothing on any page, light or dark, and no page is wider than its window',
  async (context) => {
    const { page, context: signed_in, browser } = await visit(context, server)
    const { context: signed_out } = await visit(context, server, { as: null, browser })
    await page.close()
    const waiting = [...PAGES]
    const found: string[] = []
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const tab = await (next.is_signed_out ? signed_out : signed_in).newPage()
        await tab.goto(server.url + addressOf(next, server))
        await settle(tab)
        found.push(...(await judge(tab, next)))
        await tab.close()
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

async function judge(tab: Page, { name }: DemoPage): Promise<string[]> {
  const light = await new AxeBuilder({ page: tab }).analyze()
  await tab.emulateMedia({ colorScheme: 'dark' })
  await tab.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
  // The other rules see the same page.
  const dark = await new AxeBuilder({ page: tab }).withRules('color-contrast').analyze()
  await tab.setViewportSize(NARROW)
  const is_narrow = await tab.waitForFunction(fitsWindow, null, { timeout: FITTING_MS }).then(
    () => true,
    () => false,
  )
  const violations = [
    ...light.violations.map((violation) => ({ ...violation, theme: 'light' })),
    ...dark.violations.map((violation) => ({ ...violation, theme: 'dark' })),
  ]
  return [
    ...violations.map(
      ({ id, nodes, theme }) =>
        `${name}, ${theme}: ${id} at ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
    ),
    ...(is_narrow ? [] : [`${name}: wider than ${NARROW.width} px`]),
  ]
}

const fitsWindow = (): boolean => document.documentElement.scrollWidth <= innerWidth

/** The full paths of the router's table, read from its text: its code needs a browser. */
function readRoutes(): string[] {
  const table = readFileSync(ROUTES, 'utf8')
  const routes = new Map<string, { parent: string; path: string }>()
  for (const [, name = '', body = ''] of table.matchAll(/const (\w+) = createRoute\(\{([\s\S]*?)\n?\}\)/g)) {
    const parent = /getParentRoute: \(\) => (\w+)/.exec(body)?.[1] ?? ''
    const path = /\bpath: '([^']*)'/.exec(body)?.[1] ?? ''
    routes.set(name, { parent, path })
  }
  const fullPath = (name: string): string => {
    const route = routes.get(name)
    return route ? fullPath(route.parent) + route.path : ''
  }
  const parents = new Set([...routes.values()].map(({ parent }) => parent))
  return [...routes.keys()].filter((name) => !parents.has(name)).map(fullPath)
}
