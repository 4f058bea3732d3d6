import { beforeAll, expect, test } from 'vitest'
import { bearer, callApi } from '../harness/call-api.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()
const path = (slug: string, rest: string) => `/api/environments/${server.environments[slug]}${rest}`
const create = (slug: string, key: string) =>
  server.call('POST', path(slug, '/flags'), { key, is_enabled: false })

/** Reports evaluations as an SDK of the environment. */
async function report(slug: string, unknown: readonly (readonly [string, number])[]): Promise<void> {
  const { key } = await server.call('POST', `/api/projects/${server.project_id}/keys`, {
    name: 'Shop',
    kind: 'reader',
    environment_id: server.environments[slug],
  })
  const response = await callApi(server.url, 'POST', '/sdk/ack', { unknown }, bearer(key))
  expect(response.status).toBe(204)
}

beforeAll(async () => {
  await create('development', 'new-checkout')
  await create('development', 'old-banner')
  await create('production', 'search-order')
  await server.call('POST', path('development', '/flags/old-banner/archive'), {})
  await report('development', [
    ['new-chekout', 1_204],
    ['old-banner', 40],
    ['search-order', 7],
    ['pricing', 1],
    ['two words', 1],
  ])
})

test('flags that programs evaluate and that do not exist are shown with their reason', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))
  await page.getByText('Programs evaluate 5 flags that do not exist in Development.').waitFor()
  await page.getByRole('button', { name: 'Show them' }).click()

  const list = page.getByRole('list', { name: 'Flags that do not exist' })
  const rows = list.getByRole('listitem')
  await rows.first().waitFor()
  await takePictures(page, 'unknown-flags')
  const texts = await rows.allInnerTexts()
  expect(texts[0]).toMatch(
    /new-chekout[\s\S]*Evaluated 1,204 times, last just now[\s\S]*Did you mean new-checkout\?/,
  )
  expect(texts[1]).toMatch(/old-banner[\s\S]*The flag was archived just now by /)
  expect(texts[2]).toMatch(/search-order[\s\S]*It exists only in Production\./)
  expect(texts[3]).toMatch(/pricing[\s\S]*Evaluated once/)
  expect(texts[4]).toMatch(/two words[\s\S]*No flag can have this key\./)
  expect(await list.getByRole('button', { name: 'Create old-banner' }).count()).toBe(0)
  expect(await list.getByRole('button', { name: 'Create two words' }).count()).toBe(0)

  await list.getByRole('link', { name: 'The flag', exact: true }).click()
  await page.waitForURL(server.page('development', 'flags/old-banner'))
})

test('an unknown flag is dismissed, and another one is created with its key', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags?unknown=show'))
  await page.getByRole('button', { name: 'Dismiss new-chekout' }).click()
  await page.getByRole('button', { name: 'Dismiss new-chekout' }).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Create pricing' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  expect(await dialog.getByLabel('Key').inputValue()).toBe('pricing')
  await dialog.getByLabel('Description').fill('The new prices')
  expect(await dialog.getByLabel('Key').inputValue()).toBe('pricing')
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  await page.waitForURL(server.page('development', 'flags/pricing'))

  await page.goto(server.page('development', 'flags'))
  await page.getByText('Programs evaluate 3 flags that do not exist').waitFor()
})

test('an environment without unknown flags has no notice, and a viewer can read the list only', async (context) => {
  await report('staging', [['pricing-page', 2]])
  const viewer = await server.addPerson('viewer', 'viewer')
  const { page } = await visit(context, server, { as: viewer })
  await page.goto(server.page('staging', 'flags?unknown=show'))
  await page.getByText('Evaluated 2 times').waitFor()
  expect(await page.getByRole('button', { name: 'Dismiss pricing-page' }).isDisabled()).toBe(true)
  await page.goto(server.page('production', 'flags'))
  await page.getByRole('heading', { name: 'Flags' }).waitFor()
  await page.getByRole('link', { name: 'search-order' }).waitFor()
  expect(await page.getByText('Programs evaluate').count()).toBe(0)
})
