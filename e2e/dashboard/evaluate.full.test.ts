import { createFlagSet } from '@burgee/evaluation'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { callApi } from '../harness/call-api.ts'
import { SDK_KEY } from '../harness/start-server.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const COUNTRY_RULE = { attribute: 'country', operator: 'equals', values: ['NO', 'SE'] }
const STAFF_RULE = { attribute: 'email', operator: 'ends_with', values: ['@example.com'] }

beforeAll(async () => {
  const create = (path: string, body: unknown) =>
    server.call('POST', `/api/environments/${server.environments.production}/${path}`, body)
  await create('segments', { name: 'Staff', key: 'staff', rules: [STAFF_RULE] })
  await create('segments', { name: 'Beta', key: 'beta', rules: [{ segment_key: 'staff' }, COUNTRY_RULE] })
  const flags = [
    { key: 'plain', is_enabled: true },
    { key: 'off', is_enabled: false },
    { key: 'partial', is_enabled: true, rollout_percentage: 40 },
    { key: 'targeted', is_enabled: true, rollout_percentage: 0, rules: [{ segment_key: 'beta' }] },
    {
      key: 'combined',
      is_enabled: true,
      rollout_percentage: 0,
      rules: [
        { ...COUNTRY_RULE, rollout_percentage: 0 },
        { ...COUNTRY_RULE, conditions: [{ segment_key: 'staff', operator: 'not_in_segment' }] },
      ],
    },
    {
      key: 'both',
      is_enabled: true,
      rollout_percentage: 0,
      rules: [{ segment_key: 'beta', conditions: [{ segment_key: 'staff', operator: 'in_segment' }] }],
    },
    { key: 'blocked', is_enabled: true, prerequisites: [{ flag_key: 'off' }] },
    { key: 'blocked-below', is_enabled: true, prerequisites: [{ flag_key: 'blocked' }] },
    {
      key: 'colour',
      is_enabled: true,
      flag_type: 'string',
      default_value: 'sea',
      variant_names: { 'For the young': '<b>young</b>' },
      rules: [{ attribute: 'age', operator: 'less_than', values: ['18'], variant: '<b>young</b>' }],
      variants: [
        { weight: 1, value: 'coral' },
        { weight: 1, value: 'meadow' },
      ],
    },
  ]
  for (const flag of flags) await create('flags', flag)
})

test("each flag's value for a user is what SDKs evaluate from the same flags", async (context) => {
  const { page } = await visit(context, server)
  const snapshot = await callApi(server.url, 'GET', '/flags/snapshot', undefined, {
    authorization: `Bearer ${SDK_KEY}`,
  })
  const set = createFlagSet(snapshot.body)
  const people = [
    { user: 'user-1', attributes: { country: 'NO', age: 17 } },
    { user: 'user-2', attributes: { email: 'ada@example.com', groups: ['a', 'b'] } },
    { user: '', attributes: {} },
  ]

  for (const { user, attributes } of people) {
    await page.goto(`${server.page('production', 'evaluate')}${addressOf(user, attributes)}`)
    await rowOf(page, 'plain').waitFor()
    for (const key of set.keys()) {
      const { enabled, value } = set.evaluate(key, { userKey: user === '' ? null : user, attributes })
      const row = rowOf(page, key)
      expect(await row.locator('code').textContent()).toBe(JSON.stringify(value))
      expect(await row.getByRole('img', { name: enabled ? 'On' : 'Off', exact: true }).count()).toBe(1)
    }
  }
})

test('the reason names the rule that decided, the failed prerequisite and the bucket', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(
    `${server.page('production', 'evaluate')}${addressOf('user-1', { country: 'NO', age: 17 })}`,
  )

  await rowOf(page, 'targeted')
    .getByText('Rule 1 (segment beta) matched: country is one of NO, SE.')
    .waitFor()
  await rowOf(page, 'combined').getByText('Rule 2 (segment staff) matched').waitFor()
  await rowOf(page, 'colour').getByText('Rule 1 matched: age is less than 18.').waitFor()
  await rowOf(page, 'colour').getByText('For the young').waitFor()
  await rowOf(page, 'blocked').getByText('Prerequisite off is off.').waitFor()
  await rowOf(page, 'partial')
    .getByText(/bucket \d+/)
    .waitFor()

  await page.goto(
    `${server.page('production', 'evaluate')}${addressOf('user-2', { email: 'ada@example.com' })}`,
  )
  await rowOf(page, 'both').getByText('Rule 1 (segments beta → staff and staff) matched').waitFor()
  await page.goto(
    `${server.page('production', 'evaluate')}${addressOf('user-1', { country: 'NO', age: 17 })}`,
  )

  await page.getByRole('button', { name: 'Explain combined' }).click()
  const combined = page.getByRole('dialog', { name: 'combined' })
  await combined.getByText('matches, and the user is outside its share of 0%').waitFor()
  await combined.getByText(`/api/environments/${server.environments.production}/evaluate`).waitFor()
  await page.keyboard.press('Escape')
  await combined.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Explain blocked-below' }).click()
  const drawer = page.getByRole('dialog', { name: 'blocked-below' })
  await drawer.getByText('Down to the cause: blocked → off').waitFor()
  expect(page.url()).toContain('flag=blocked-below')
})

test('attributes and an empty user key are typed, kept in the address through a reload, and remembered as a preset', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'evaluate'))
  await rowOf(page, 'targeted').getByText('The rollout is 0%: no users are inside.').waitFor()

  await page.getByLabel('User key').fill('ada')
  await page.getByRole('button', { name: 'Add attribute' }).click()
  await page.getByRole('combobox', { name: 'Name of attribute 1' }).fill('email')
  await page.getByLabel('Value of attribute 1').fill('ada@example.com')
  await rowOf(page, 'targeted').getByText('Rule 1 (segment beta → staff) matched').waitFor()
  await expect
    .poll(() => new URL(page.url()).searchParams.get('attributes'))
    .toBe('{"email":"ada@example.com"}')

  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByLabel('Save this user as').fill('Ada of staff')
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await page.reload()
  expect(await page.getByLabel('User key').inputValue()).toBe('ada')
  await rowOf(page, 'targeted').getByText('Rule 1 (segment beta → staff) matched').waitFor()

  await page.goto(server.page('production', 'evaluate'))
  await rowOf(page, 'partial').getByText('there is no user key').waitFor()
  await page.getByRole('checkbox', { name: 'Send an empty key' }).check()
  await rowOf(page, 'partial')
    .getByText(/bucket \d+/)
    .waitFor()
  await expect.poll(() => page.url()).toContain('empty_key=yes')
  await page.reload()
  await rowOf(page, 'partial')
    .getByText(/bucket \d+/)
    .waitFor()
  await page.getByRole('button', { name: 'Presets (1)' }).click()
  await page.getByRole('button', { name: 'Ada of staff', exact: true }).click()
  await rowOf(page, 'targeted').getByText('Rule 1 (segment beta → staff) matched').waitFor()
})

const rowOf = (page: Page, key: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `Explain ${key}`, exact: true }) })

const addressOf = (user: string, attributes: object) =>
  `?${new URLSearchParams({ user, attributes: JSON.stringify(attributes) })}`
