import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { serveDashboard } from '../harness/open-dashboard.ts'
import { openStory } from '../harness/open-story.ts'

const server = serveDashboard()
const windowOf = openStory(server)
const FLAGS = 2_000
/** Three of them are there from the start. */
const ENVIRONMENTS = 40
const USERS = 200
const LANES = 10
/** Two thousand flags take a while to create. */
const PATIENCE_MS = 400_000
const LONG_NAME = `Dr. ${'Wolfeschlegelsteinhausenbergerdorff '.repeat(5)}`.slice(0, 190)
const HEBREW = 'בדיקות עומס'
const ARABIC = 'اختبار الحمل'

async function repeat(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

const number = (index: number) => String(index).padStart(4, '0')

beforeAll(async () => {
  const project = `/api/projects/${server.project_id}`
  await repeat(ENVIRONMENTS - 3, (index) => {
    const name = [HEBREW, ARABIC, LONG_NAME.slice(0, 80)][index] ?? `Region ${number(index)}`
    return server.call('POST', `${project}/environments`, { name, slug: `region-${number(index)}` })
  })
  await repeat(USERS - 1, (index) => {
    const name = [HEBREW, ARABIC, LONG_NAME.slice(0, 100)][index] ?? `Person ${number(index)}`
    const email = `person-${number(index)}@example.com`
    const password = 'correct horse battery'
    return server.call('POST', '/api/users', { name, email, role: 'viewer', password })
  })
  await repeat(FLAGS, (index) =>
    server.call('POST', `/api/environments/${server.environments.production}/flags`, {
      key: `flag-${number(index)}`,
      description: [HEBREW, ARABIC, LONG_NAME][index] ?? `The flag with the number ${index}`,
      is_enabled: index % 2 === 0,
    }),
  )
}, PATIENCE_MS)

/** Expects nothing to be wider than the window, and names what is. */
const expectNoOverflow = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        if (document.documentElement.scrollWidth <= innerWidth) return []
        const wide = [...document.querySelectorAll('body *')].filter(
          (element) => element.getBoundingClientRect().right > innerWidth,
        )
        return wide.map(({ className, textContent }) => `${className}: ${textContent?.slice(0, 40)}`)
      }),
    )
    .toEqual([])

test('2,000 flags: the list draws the rows in sight, reaches the last one and finds any', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.goto(server.page('production', 'flags'))
  await page.getByRole('link', { name: 'flag-0000', exact: true }).waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(60)
  await expectNoOverflow(page)

  await page.getByRole('link', { name: 'flag-0000', exact: true }).focus()
  await page.keyboard.press('End')
  await page.getByRole('link', { name: 'flag-1999', exact: true }).waitFor()
  await page.getByLabel('Search flags').fill(HEBREW)
  await page.getByText('1 of 2,000').waitFor()
  await page.getByLabel('Search flags').fill('flag-12')
  await page.getByText('100 of 2,000').waitFor()
})

test('40 environments: the menu finds one by its name in any script, and its address shows it on top', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.getByRole('button', { name: 'Environment: Production' }).click()
  const search = page.getByLabel('Find an environment')
  await search.fill('region 003')
  await page.getByRole('menuitem', { name: 'Region 0036' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /^Region/ }).count()).toBe(7)
  await search.fill('nowhere')
  await page.getByText('No results for nowhere').waitFor()
  await search.fill(HEBREW)
  await page
    .getByRole('menuitem', { name: HEBREW })
    .or(page.getByRole('option', { name: HEBREW }))
    .first()
    .click()

  await page.getByRole('button', { name: `Environment: ${HEBREW}` }).waitFor()
  await page.getByRole('heading', { name: `No flags in ${HEBREW} yet` }).waitFor()
  await expectNoOverflow(page)
})

test('the flag of 40 environments is shown in all, and so is the matrix of 2,000 flags', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.goto(server.page('production', 'flags/flag-0001'))
  const strip = page.getByRole('region', { name: 'In all environments' })
  await strip.getByRole('button', { name: 'Show all 40 environments' }).click()
  await strip.getByText(HEBREW).waitFor()
  await strip.getByText(ARABIC).waitFor()
  await expectNoOverflow(page)

  await page.goto(`${server.url}/projects/${server.project_id}/compare`)
  await page.getByText('flag-0000').first().waitFor()
  await expectNoOverflow(page)
})

test('200 users: one with a name in another script or of 100 letters is found and fits', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.goto(`${server.url}/workspace`)
  const users = page.getByRole('list', { name: 'Users' })
  await users.getByRole('listitem').first().waitFor()
  await page.getByLabel('Search users').fill('person-0001')
  await users.getByText(ARABIC).waitFor()
  await page.getByLabel('Search users').fill('person-0002')
  await users.getByText('person-0002@example.com').waitFor()
  await expectNoOverflow(page)
})

test('the palette finds a flag and an environment among all', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or run a command' })
  await field.fill('flag-1234')
  await page
    .getByRole('option', { name: /^flag-1234/ })
    .first()
    .click()
  await page.waitForURL(/flags\/flag-1234$/)
  await page.getByRole('heading', { level: 1, name: 'flag-1234' }).waitFor()

  await page.keyboard.press('Control+k')
  await field.fill('Region 0021')
  await page
    .getByRole('option', { name: /Region 0021/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Environment: Region 0021' }).waitFor()
})
