import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { createKeyFor } from '../../harness/call-api.ts'
import { createStage } from '../../harness/open-stage.ts'
import { type SdkClient, startSdkClient } from '../../harness/start-sdk-client.ts'
import { serveDashboard } from '../harness/open-dashboard.ts'
import { openStory } from '../harness/open-story.ts'

const server = serveDashboard()
const windowOf = openStory(server)
const stage = createStage()
afterAll(stage.close)
let program: SdkClient

const flag = (slug: string) =>
  server.call('GET', `/api/environments/${server.environments[slug]}/flags/search`)
const rowOf = (page: Page, key: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `Explain ${key}`, exact: true }) })

test('a new flag is created in all environments, off, while the program runs already', async (context) => {
  const { page } = await windowOf(context, 'developer')
  const { key } = await createKeyFor(server.url, 'development')
  program = startSdkClient(stage, { url: server.url, sdkKey: key })
  await page.goto(server.page('development', 'flags?new=flag'))
  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  await dialog.getByLabel('Key').fill('search')
  await dialog.getByRole('button', { name: 'Create flag' }).click()

  await page.getByText('search is created in 3 environments').waitFor()
  await page.waitForURL(server.page('development', 'flags/search'))
  for (const slug of ['development', 'staging', 'production']) {
    expect(await flag(slug)).toMatchObject({ is_enabled: false })
  }
  await eventually(async () => (await program.evaluate('search', 'ada')).reason === 'DISABLED')
})

test('the flag is targeted at one country and saved after a review', async (context) => {
  const { page } = await windowOf(context, 'developer')
  await page.getByRole('switch', { name: 'The flag is off' }).click({ force: true })
  await page.getByLabel('Rollout percentage', { exact: true }).fill('0')
  await page.getByRole('button', { name: 'Add rule' }).click()
  const rule = page.getByRole('listitem', { name: 'Rule 1' })
  await rule.getByRole('combobox', { name: 'Attribute' }).fill('country')
  await rule.getByLabel('Values').fill('NO')
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').getByRole('button', { name: 'Save to Development' }).click()

  await page.getByText('search is saved').waitFor()
  expect(await flag('development')).toMatchObject({ is_enabled: true, rollout_percentage: 0 })
})

test('Evaluate states what a user gets and why, and the running program gets the same', async (context) => {
  const { page } = await windowOf(context, 'developer')
  await page.goto(server.page('development', 'evaluate'))
  await rowOf(page, 'search').getByText('The rollout is 0%: no users are inside.').waitFor()

  await page.getByLabel('User key').fill('ada')
  await page.getByRole('button', { name: 'Add attribute' }).click()
  await page.getByRole('combobox', { name: 'Name of attribute 1' }).fill('country')
  await page.getByLabel('Value of attribute 1').fill('NO')
  await rowOf(page, 'search')
    .getByText(/^Rule 1 matched/)
    .waitFor()

  await eventually(async () => (await program.evaluate('search', 'ada', { country: 'NO' })).value === true)
  expect((await program.evaluate('search', 'ada', { country: 'SE' })).value).toBe(false)
})

test('the switch in the list reaches the program without a restart, and so does its undo', async (context) => {
  const { page } = await windowOf(context, 'developer')
  const reason = async () => (await program.evaluate('search', 'ada', { country: 'NO' })).reason
  await page.goto(server.page('development', 'flags'))

  await page.getByRole('switch', { name: 'search is on' }).click({ force: true })
  await page.getByText('search is off').waitFor()
  await eventually(async () => (await reason()) === 'DISABLED')
  await page.getByRole('button', { name: 'Undo' }).click()

  await eventually(async () => (await reason()) === 'TARGETING_MATCH')
})

test('the flag is promoted to Staging, where it was off', async (context) => {
  const { page } = await windowOf(context, 'developer')
  await page.goto(server.page('development', 'flags/search'))
  await page.getByRole('button', { name: 'Promote' }).click()
  const dialog = page.getByRole('dialog', { name: 'Promote search' })
  await dialog.getByRole('radio', { name: 'Staging' }).click()
  await dialog.getByText('Switched on').waitFor()
  await dialog.getByRole('button', { name: 'Promote to Staging' }).click()

  await page.getByText('search is promoted to Staging').waitFor()
  expect(await flag('staging')).toMatchObject({ is_enabled: true, rules: [{ attribute: 'country' }] })
  expect(await flag('production')).toMatchObject({ is_enabled: false })
})
