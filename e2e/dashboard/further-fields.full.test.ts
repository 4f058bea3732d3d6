import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()

const path = (rest: string): string => `/api/environments/${server.environments.staging}/${rest}`

test('a rule serves a share of those who match, and the sentence states it', async (context) => {
  await server.call('POST', path('segments'), { key: 'staff', name: 'Staff' })
  const rules = [{ attribute: 'app_version', operator: 'semver_greater_than_or_equal', values: ['2.4.0'] }]
  await server.call('POST', path('flags'), { key: 'shared', is_enabled: true, rules })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/shared'))
  const rule = page.getByRole('listitem', { name: 'Rule 1' })
  await rule.getByRole('button', { name: /app_version/ }).click()

  await rule.getByRole('button', { name: 'Add segment (AND)' }).click()
  const condition = rule.getByRole('group', { name: 'Condition 1' })
  await condition.getByRole('combobox', { name: 'User' }).click()
  await page.getByRole('option', { name: 'is not in the segment' }).click()
  await condition.getByRole('combobox', { name: 'Segment' }).click()
  await page.getByRole('option', { name: /Staff/ }).click()
  await rule.getByRole('button', { name: 'Share, division and note' }).click()
  await rule.getByRole('button', { name: 'Only for a share of those who match' }).click()
  await rule.getByLabel('Share of those who match').fill('12.5')
  await rule.getByRole('button', { name: 'Divide by an attribute other than the user key' }).click()
  await rule.getByRole('combobox', { name: 'Divide by' }).fill('company_id')
  await page.keyboard.press('Escape')
  await rule.getByText('Off', { exact: true }).click()
  await rule.getByText(/not in segment staff.*for 12\.5% of them by company_id.*off/).waitFor()

  await page.getByRole('button', { name: 'Review changes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/for 12\.5% by company_id gives off/).waitFor()
  await dialog.getByRole('button', { name: 'Save to Staging' }).click()
  await page.getByText('is saved').waitFor()
  const saved = await server.call('GET', path('flags/shared'))
  expect(saved).toMatchObject({
    rules: [
      {
        conditions: [{ segment_key: 'staff', operator: 'not_in_segment' }],
        rollout_percentage: 12,
        rollout_thousandths: 12_500,
        bucket_by: 'company_id',
        off: true,
      },
    ],
  })
})

test('a flag keeps what the editor does not show, and gains names, a schema and links', async (context) => {
  const flag = {
    key: 'limits',
    is_enabled: true,
    flag_type: 'json',
    default_value: { n: 1 },
    rollout_salt: 'kept:',
  }
  await server.call('POST', path('flags'), flag)
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/limits'))

  await page.getByLabel('Rollout percentage', { exact: true }).fill('33.333')
  await page.getByRole('button', { name: 'Name the values' }).click()
  await page.getByLabel('Name 1', { exact: true }).fill('small')
  await page.getByRole('button', { name: 'More: lifetime, browsers, links, metadata' }).click()
  await page.getByLabel('Permanent').check()
  await page.getByLabel('Hidden from browsers').check()
  await page.getByLabel('Metadata').fill('team: web\ntier: 2')
  await page.getByLabel('Links').fill('Ticket 17 https://tracker.example.com/17')
  await page.getByRole('button', { name: 'Check values with a JSON Schema' }).click()
  await page.getByText('Schema of values').waitFor()
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save to Staging' }).click()
  await page.getByText('is saved').waitFor()
  expect(await server.call('GET', path('flags/limits'))).toMatchObject({
    rollout_percentage: 33,
    rollout_thousandths: 33_333,
    rollout_salt: 'kept:',
    lifetime: 'permanent',
    client_visible: false,
    metadata: { team: 'web', tier: 2 },
    links: [{ title: 'Ticket 17', url: 'https://tracker.example.com/17' }],
    value_schema: { type: 'object' },
  })
})

test('a list of user keys is pasted into a segment, with counts', async (context) => {
  await server.call('POST', path('segments'), { key: 'beta', name: 'Beta', excluded_keys: ['eve'] })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'segments/beta'))
  const included = page.getByLabel('Included')
  await included.fill('ann\nbob\nann')
  await page.getByText('2 keys, 1 repeated').waitFor()
  await page.getByRole('button', { name: 'Review and save' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/ncluded user keys: 2 added \(0 → 2\)/).waitFor()
  await dialog.getByRole('button', { name: /^Save/ }).click()
  await expect
    .poll(async () => server.call('GET', path('segments/beta')))
    .toMatchObject({ included_keys: ['ann', 'bob'], excluded_keys: ['eve'] })
})

test('a flag that files manage names their configuration', async (context) => {
  await server.call('POST', path('flags'), { key: 'owned', is_enabled: true, managed_by: 'checkout-team' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/owned'))
  await page.getByText('Managed by checkout-team').hover()
  await page.getByRole('tooltip').getByText('The next apply of its files').waitFor()
  await takePictures(page, 'managed')
})
