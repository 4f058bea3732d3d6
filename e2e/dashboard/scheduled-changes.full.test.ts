import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()

const flagPath = (key: string) => `/api/environments/${server.environments.production}/flags/${key}`
const put = (flag: object) =>
  server.call('POST', `/api/environments/${server.environments.production}/flags`, {
    is_enabled: true,
    ...flag,
  })
const schedule = (key: string, fromNowMs: number, patch: object) =>
  server.call('POST', `${flagPath(key)}/scheduled-changes`, {
    scheduled_at: new Date(Date.now() + fromNowMs).toISOString(),
    patch,
  })

const DAY_MS = 86_400_000

test('a scheduled change runs at its time, and the list shows it without a reload', async (context) => {
  await put({ key: 'awaited', rollout_percentage: 10 })
  const { page } = await visit(context, server)
  await page.goto(`${server.page('production', 'scheduled-changes')}?view=list`)
  await page.getByText('No scheduled changes').waitFor()

  await schedule('awaited', 2_500, { rollout_percentage: 90 })
  await page.reload()
  await page.getByText('Rollout 10% → 90%').waitFor()

  await page.getByText('Done', { exact: true }).waitFor()
  expect(await server.call('GET', flagPath('awaited'))).toMatchObject({ rollout_percentage: 90 })
})

test('a change is scheduled from the editor, appears in the calendar, and is canceled there', async (context) => {
  await put({ key: 'planned', rollout_percentage: 20 })
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'flags/planned'))
  await page.getByRole('switch', { name: /^The flag is/ }).click({ force: true })
  await page.getByRole('button', { name: /^Review/ }).click()
  await page.getByRole('button', { name: /^Schedule/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule a change of planned' })
  await dialog.getByRole('button', { name: 'In an hour' }).click()
  await dialog.getByText(/at .* UTC/).waitFor()
  await dialog.getByText('Switched off').waitFor()
  await takePictures(page, 'schedule')
  await dialog.getByRole('button', { name: 'Schedule change' }).click()
  await page.getByText(/planned will change on/).waitFor()

  await page.goto(server.page('production', 'scheduled-changes'))
  await page.getByRole('button', { name: /planned: switch off/ }).click()
  await page.getByRole('button', { name: /^Cancel the change of planned/ }).click()
  await page.getByText('The scheduled change of planned is canceled').waitFor()
  expect(await server.call('GET', `${flagPath('planned')}/scheduled-changes`)).toEqual([])

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: /planned: switch off/ }).waitFor()
})

test('each scheduled change of a flag is described against the ones before it', async (context) => {
  await put({ key: 'ramped', rollout_percentage: 10 })
  await schedule('ramped', DAY_MS, { rollout_percentage: 50 })
  await schedule('ramped', 2 * DAY_MS, { rollout_percentage: 100 })
  const { page } = await visit(context, server)

  await page.goto(`${server.page('production', 'flags/ramped')}?tab=schedule`)

  await page.getByText('Rollout 10% → 50%').waitFor()
  await page.getByText('Rollout 50% → 100%').waitFor()
})
