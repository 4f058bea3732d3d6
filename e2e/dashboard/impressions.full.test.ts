import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const HOSTILE = '<img src=x onerror="alert(1)">'

interface Reported {
  readonly flag_key: string
  readonly value: string
  readonly user_id?: string | null
  readonly context?: object
}

const report = (slug: string, ...impressions: Reported[]) =>
  server.call('POST', `/api/environments/${server.environments[slug]}/impressions`, impressions)

const rowsOf = (page: Page) =>
  page.getByRole('region', { name: 'Impressions, the newest first' }).getByRole('listitem')

test('the stream shows an impression without a reload, as text', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'impressions?tab=stream'))
  await page.getByText('Waiting for the first impression').waitFor()

  await report(
    'production',
    { flag_key: 'first', user_id: 'ada', value: 'true' },
    { flag_key: 'second', user_id: null, value: HOSTILE, context: { note: HOSTILE } },
  )
  await rowsOf(page).filter({ hasText: 'ada' }).waitFor()

  const newest = rowsOf(page).first()
  expect(await newest.innerText()).toContain(HOSTILE)
  expect(await newest.innerText()).toContain('anonymous')
  await newest.getByRole('button', { name: /^Details of impression/ }).click()
  expect(await newest.getByRole('region', { name: /^Context of/ }).innerText()).toBe(
    JSON.stringify({ note: HOSTILE }, null, 2),
  )
  await page.getByText('2 impressions.').waitFor()
})

test('the stream stops while it is paused and continues where it stopped', async (context) => {
  const { page } = await visit(context, server)
  await report('staging', { flag_key: 'before', user_id: 'ada', value: 'true' })
  await page.goto(server.page('staging', 'impressions?tab=stream'))
  await rowsOf(page).filter({ hasText: 'before' }).waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await report('staging', { flag_key: 'after', user_id: 'bo', value: 'true' })
  const polls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/impressions?')) polls.push(request.url())
  })
  await page.getByRole('button', { name: 'Resume' }).click()
  await rowsOf(page).filter({ hasText: 'after' }).waitFor()

  expect(polls[0]).toContain('since_id=1')
  expect(await rowsOf(page).allInnerTexts()).toHaveLength(2)
})

test('flag, user and value filter the stream by exact match and are kept in the address', async (context) => {
  await report(
    'development',
    { flag_key: 'checkout', user_id: 'ada', value: 'true' },
    { flag_key: 'checkout', user_id: 'bo', value: 'false' },
    { flag_key: 'checkout-2', user_id: 'ada', value: 'true' },
  )
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'impressions?tab=stream'))
  await page.getByText('3 impressions.').waitFor()

  await page.getByLabel('Flag', { exact: true }).fill('checkout')
  await page.getByText('2 matching impressions.').waitFor()
  await page.getByLabel('User', { exact: true }).fill('ada')
  await page.getByText('1 matching impression.').waitFor()
  await page.getByLabel('Value', { exact: true }).fill('false')
  await page.getByText('No matching impressions yet').waitFor()
  expect(new URL(page.url()).search).toBe('?tab=stream&flag_key=checkout&user_id=ada&value=false')
  await page.goto(server.page('development', 'impressions?tab=stream&value=true'))
  await page.getByText('2 matching impressions.').waitFor()
  await report('development', { flag_key: 'checkout', user_id: 'cy', value: 'false' })
  await report('development', { flag_key: 'checkout', user_id: 'dee', value: 'true' })

  await rowsOf(page).filter({ hasText: 'dee' }).waitFor()
  expect(await rowsOf(page).filter({ hasText: 'cy' }).count()).toBe(0)
})

test('analytics count impressions by flag, and lead to the exposure with its chart and its table', async (context) => {
  await report(
    'development',
    { flag_key: 'banner', user_id: 'ada', value: 'true' },
    { flag_key: 'banner', user_id: 'ada', value: 'true' },
    { flag_key: 'banner', user_id: null, value: 'true' },
    { flag_key: 'banner', user_id: 'bo', value: 'false' },
  )
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'impressions'))
  await page.getByRole('row').filter({ hasText: 'banner' }).getByText('3 true (75%), 1 false').waitFor()

  await page.getByRole('link', { name: 'Exposure of banner' }).click()
  await page.getByRole('figure', { name: 'Impressions of banner by day and value' }).waitFor()
  await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Table').click()

  const table = page.getByRole('region', { name: 'Impressions by day, as a table' })
  const [head = '', today = ''] = await table.getByRole('row').allInnerTexts()
  expect(head.split(/\s+/)).toEqual(['Day', 'false', 'true', 'All'])
  expect(today.split(/\s+/).slice(-3)).toEqual(['1', '3', '4'])
  const values = await page.getByRole('region', { name: 'Values' }).getByRole('row').allInnerTexts()
  expect(values[1]?.split(/\s+/)).toEqual(['true', '75%', '3', '1'])
})

test('a failure to read numbers is shown, not hidden as no numbers', async (context) => {
  const { page } = await visit(context, server)
  await page.route('**/impressions/stats*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Broken' } }),
  )
  await page.goto(server.page('development', 'exposure'))

  const failure = page.getByRole('alert').filter({ hasText: 'The flags that were seen could not be loaded' })
  await failure.waitFor()
  expect(await page.getByText('No users have seen a flag yet').count()).toBe(0)

  await page.unrouteAll()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await failure.waitFor({ state: 'detached' })
})

test('a search is corrected in its middle, and is kept in the address', async (context) => {
  await report('staging', { flag_key: 'one', value: 'true' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'impressions'))
  const search = page.getByRole('searchbox', { name: 'Search flags' })
  await search.fill('one button')
  for (const _ of 'button') await search.press('ArrowLeft')

  await page.keyboard.type('big ')

  expect(await search.inputValue()).toBe('one big button')
  await page.waitForURL(/q=one\+big\+button/)
})
