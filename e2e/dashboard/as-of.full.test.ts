import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()
const api = (path: string) => `/api/environments/${server.environments.production}/${path}`
const ANNA = new URLSearchParams({ user: 'anna', attributes: '{"plan":"pro"}' })
const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }
/** A moment between the two writes. */
let between = ''

beforeAll(async () => {
  await server.call('POST', api('segments'), { key: 'paying', name: 'Paying', rules: [RULE] })
  await server.call('POST', api('flags'), {
    key: 'checkout',
    is_enabled: true,
    rollout_percentage: 0,
    rules: [{ segment_key: 'paying' }],
  })
  await server.call('POST', api('flags'), { key: 'search', is_enabled: true })
  await new Promise((resolve) => setTimeout(resolve, 20))
  between = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  await server.call('PATCH', api('segments/paying'), { rules: [{ ...RULE, values: ['enterprise'] }] })
})

test('a past moment shows the values of then beside those of now, with the steps and the changes around it', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.page('production', 'evaluate')}?${ANNA}&as_of=${between}`)
  await page.getByText('1 different now').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'checkout' })
  expect(await row.getByRole('img', { name: 'On' }).count()).toBe(1)
  await row.getByText('A rule matched.').waitFor()
  await row.getByText('Now false (off)').waitFor()
  await takePictures(page, 'as-of')
  await expectAccessible(page)

  await page.getByText('Different now', { exact: true }).click()
  await page.getByText('1 of 2 flags').waitFor()
  await page.getByRole('button', { name: 'Explain checkout' }).click()
  const drawer = page.getByRole('dialog', { name: 'checkout' })
  await drawer.getByText('Rule 1 (segment paying) matched: plan is pro.').first().waitFor()
  await drawer.getByText(/After: ada@example.com, .*revision/).waitFor()
  await drawer.getByText(`"at":"${between}"`).waitFor()
  await takePictures(page, 'as-of-flag')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Back to now' }).click()
  await page.getByText('1 on · 1 not the default value').waitFor()
  expect(new URL(page.url()).searchParams.get('as_of')).toBeNull()
})

test('the address of a user leads to what changed for them, and each change to its moment', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.page('production', 'users')}/anna`)
  await page.getByText('What changed for anna').waitFor()
  const created = page.getByRole('list', { name: 'Changed values' }).getByRole('listitem')
  await created.filter({ hasText: 'search' }).getByText('the flag was changed by ada@example.com').waitFor()

  await page.goto(`${server.page('production', 'evaluate')}?${ANNA}&window=1h`)
  const list = page.getByRole('list', { name: 'Changed values' })
  await list.getByText('a segment was changed by ada@example.com').waitFor()
  await takePictures(page, 'value-history')
  await expectAccessible(page)
  await list
    .getByRole('listitem')
    .filter({ hasText: 'checkout' })
    .getByRole('button', { name: /^Evaluate as of/ })
    .last()
    .click()
  await page
    .getByText(/^As of /)
    .first()
    .waitFor()
  await page.getByText('0 different now').waitFor()
})

test('the history of a flag leads to the moment before a change, and a moment before the history is refused', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.page('production', 'flags')}/checkout?tab=history`)
  await page
    .getByRole('link', { name: /^State before revision/ })
    .first()
    .click()
  await page.waitForURL(/evaluate\?as_of=/)
  const drawer = page.getByRole('dialog', { name: 'checkout' })
  await drawer.getByText('SDKs did not have this flag').first().waitFor()

  await page.goto(`${server.page('production', 'evaluate')}?as_of=2020-01-01T00:00:00.000Z`)
  await page.getByText('That moment could not be read').waitFor()
})
