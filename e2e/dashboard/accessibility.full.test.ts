import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { seedDemo } from './harness/seed-demo.ts'
import { addressOf, openPage, PAGES } from './pages.mjs'

const ROUTES = new URL('../../packages/dashboard/src/app/routes.tsx', import.meta.url)
/** They lead elsewhere and show nothing. */
const ONLY_LEAD_ON = [
  '/',
  '/projects/$project_id/',
  '/projects/$project_id/environments/$environment_id/users/$user_key',
]
const LIGHT_AND_WIDE = { colorScheme: 'light', viewport: { width: 1440, height: 900 } } as const
const DARK_AND_NARROW = { colorScheme: 'dark', viewport: { width: 375, height: 812 } } as const
const PLACES_SHOWN = 3
/** Sixty pages on a machine that may be busy. */
const PATIENCE_MS = 400_000

const server = serveDashboard()
beforeAll(() => seedDemo(server))

test('the list of pages holds every route of the dashboard', () => {
  const listed = new Set(PAGES.map(({ route }) => route))
  const routes = readRoutes().filter((route) => !ONLY_LEAD_ON.includes(route))
  expect([...listed].sort()).toEqual(routes.sort())
})

test(
  'axe finds nothing on any page, light and wide or dark and narrow, and no page is wider than its window',
  async (context) => {
    const { page } = await visit(context, server, LIGHT_AND_WIDE)
    await page.close()
    const found = await Promise.all(
      [LIGHT_AND_WIDE, DARK_AND_NARROW].map(async (view) => {
        const { context: signedIn } = await visit(context, server, view)
        const { context: signedOut } = await visit(context, server, { ...view, as: null })
        const violations: string[] = []
        for (const listed of PAGES) {
          const tab = await (listed.isSignedOut ? signedOut : signedIn).newPage()
          await openPage(tab, server.url + addressOf(listed, server), listed)
          violations.push(...(await judge(tab, `${listed.name}, ${view.colorScheme}`, rulesOf(view))))
          await tab.close()
        }
        return violations
      }),
    )
    expect(found.flat()).toEqual([])
  },
  PATIENCE_MS,
)

/** The rules about colors and width: the second view of a page has the elements of the first. */
const RULES_OF_STYLE = ['color-contrast', 'scrollable-region-focusable', 'link-in-text-block']

const rulesOf = (view: object): readonly string[] | null => (view === LIGHT_AND_WIDE ? null : RULES_OF_STYLE)

async function judge(tab: Page, where: string, rules: readonly string[] | null): Promise<string[]> {
  // Without a page of its own for what frames state, since there are none.
  const axe = new AxeBuilder({ page: tab }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
  })
  const { violations } = await axe.analyze()
  const widerPx = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return [
    ...violations.map(({ id, nodes }) => {
      const places = nodes.slice(0, PLACES_SHOWN).map(({ html }) => html.slice(0, 200))
      return `${where}: ${id} at ${places.join(' | ')}`
    }),
    ...(widerPx > 0 ? [`${where}: ${widerPx} px wider than the window`] : []),
  ]
}

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
