import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const api = (slug: string, path: string) => `/api/environments/${server.environments[slug]}/${path}`
const AGE_RULE = { attribute: 'age', operator: 'greater_than', values: ['17'] }

test('a segment is built in the page, shows where it is used, and when it is renamed the rules of flags follow', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'segments'))
  await page.getByRole('heading', { name: 'No segments yet' }).waitFor()

  await page.getByRole('button', { name: 'Create segment' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Beta testers')
  expect(await page.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('beta-testers')
  await page.getByRole('dialog').getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('heading', { level: 1, name: 'Beta testers' }).waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('combobox', { name: 'Attribute' }).fill('country')
  await page.getByRole('combobox', { name: 'Values' }).fill('NO')
  await save(page)
  expect(await server.call('GET', api('staging', 'segments/beta-testers'))).toMatchObject({
    rules: [{ attribute: 'country', operator: 'equals', values: ['NO'] }],
  })

  const rules = [{ segment_key: 'beta-testers' }]
  await server.call('POST', api('staging', 'flags'), { key: 'new-checkout', is_enabled: true, rules })
  await page.reload()
  await page.getByRole('list', { name: 'In the rules of flags' }).getByText('new-checkout').waitFor()

  await page.getByRole('textbox', { name: 'Key' }).fill('early-birds')
  await page
    .getByText('The rules of 1 flag that name “beta-testers” are rewritten with the new key.')
    .waitFor()
  await page.getByRole('button', { name: 'Review and save' }).click()
  const review = page.getByRole('dialog', { name: 'Review changes to beta-testers in Staging' })
  await review.getByText('1 flag is sent to SDKs again, in Staging only').waitFor()
  await review
    .getByRole('list', { name: 'Flags that change' })
    .getByText('no difference for its users')
    .waitFor()
  await review.getByRole('button', { name: 'Save to Staging' }).click()
  await page.getByText('Segment early-birds is saved.').waitFor()

  expect(page.url()).toBe(server.page('staging', 'segments/early-birds'))
  expect(await server.call('GET', api('staging', 'flags/new-checkout'))).toMatchObject({
    rules: [{ segment_key: 'early-birds' }],
  })
})

test('a save is reviewed with each flag that changes, its warnings, and what the server would refuse', async (context) => {
  const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
  await server.call('POST', api('development', 'segments'), { name: 'Paying', key: 'paying', rules })
  for (const key of ['invoices', 'reports']) {
    const flag = { key, is_enabled: true, rules: [{ segment_key: 'paying' }] }
    await server.call('POST', api('development', 'flags'), flag)
  }
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'segments/paying'))
  await page.getByRole('button', { name: 'If plan is pro' }).click()
  await page.getByRole('combobox', { name: 'Values' }).fill('team')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Operator' }).click()
  await page.getByRole('option', { name: 'is not', exact: true }).click()
  await page.getByRole('button', { name: 'Review and save' }).click()

  const review = page.getByRole('dialog', { name: 'Review changes to paying in Development' })
  await review.getByText('2 flags are sent to SDKs again, in Development only').waitFor()
  const invoices = review.getByRole('list', { name: 'Flags that change' }).getByRole('listitem').first()
  await invoices.getByText('invoices').waitFor()
  await invoices.getByText('Rule 1 values: pro → pro, team').waitFor()
  await review.getByRole('alert').filter({ hasText: 'Probably a mistake' }).getByText('Rule 1: ').waitFor()
  await review.getByRole('button', { name: 'Keep editing' }).click()

  const settings = `/api/projects/${server.project_id}/environments/${server.environments.development}`
  const approval = { require_approval: true, approval_scope: 'all' }
  await server.call('POST', `${settings}/require-approval`, approval)
  const editor = await visit(context, server, { as: await server.addPerson('eddie', 'editor') })
  await editor.page.goto(server.page('development', 'segments/paying'))
  await editor.page.getByRole('button', { name: 'Add rule' }).click()
  await editor.page.getByRole('combobox', { name: 'Attribute' }).fill('country')
  await editor.page.getByRole('combobox', { name: 'Values' }).fill('NO')
  await editor.page.getByRole('button', { name: 'Review and save' }).click()
  await editor.page
    .getByRole('alert')
    .filter({ hasText: 'You cannot save this' })
    .getByText('invoices')
    .waitFor()
  expect(await editor.page.getByRole('button', { name: 'Save to Development' }).isDisabled()).toBe(true)
})

test('what someone else saved meanwhile is shown and not overwritten, and leaving with changes asks first', async (context) => {
  await server.call('POST', api('staging', 'segments'), { name: 'Adults', key: 'adults', rules: [AGE_RULE] })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'segments/adults'))
  await page.getByRole('textbox', { name: 'Name' }).fill('Grown-ups')

  await server.call('PATCH', api('staging', 'segments/adults'), { name: 'Everyone from 18' })
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page.getByRole('button', { name: 'Save to Staging' }).click()

  const alert = page.getByRole('alert').filter({ hasText: 'Someone else changed this segment' })
  await alert.getByText('Name "Adults" → "Everyone from 18"').waitFor()
  expect((await server.call('GET', api('staging', 'segments/adults'))).name).toBe('Everyone from 18')

  await page.getByRole('link', { name: 'Flags', exact: true }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await alert.getByRole('button', { name: 'Keep my changes' }).click()
  await save(page)
  expect((await server.call('GET', api('staging', 'segments/adults'))).name).toBe('Grown-ups')
})

test('in Production deleting asks to type the key and shows what uses the segment', async (context) => {
  await server.call('POST', api('production', 'segments'), { name: 'Old', key: 'old', rules: [AGE_RULE] })
  const flag = { key: 'depends', is_enabled: true, rules: [{ segment_key: 'old' }] }
  await server.call('POST', api('production', 'flags'), flag)
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'segments/old'))
  await page.getByRole('list', { name: 'In the rules of flags' }).waitFor()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('list', { name: 'Used by' }).getByText('depends').waitFor()
  const button = page.getByRole('button', { name: 'Delete segment' })
  expect(await button.isDisabled()).toBe(true)
  await page.getByLabel('Type old to confirm').fill('old')
  await button.click()

  await page.getByText('Segment old is deleted.').waitFor()
  expect(page.url()).toBe(server.page('production', 'segments'))
})

test('hostile names are text, and a viewer sees everything and can change nothing', async (context) => {
  // The API refuses names whose order is changed, not descriptions.
  const name = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
  await server.call('POST', api('development', 'segments'), {
    name,
    key: 'hostile',
    description: `${name}\u202e`.repeat(200),
  })
  const viewer = await server.addPerson('vera', 'viewer')
  const { page } = await visit(context, server, { as: viewer, viewport: { width: 375, height: 800 } })

  await page.goto(server.page('development', 'segments'))
  await page.getByRole('link', { name: 'img src=x' }).click()

  await page.getByRole('heading', { level: 1, name: 'img src=x' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('textbox', { name: 'Name' }).isEditable()).toBe(false)
  await page.getByText('This needs the role editor or admin in the project').first().waitFor()
})

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page.getByRole('button', { name: 'Save to Staging' }).click()
  await page.getByText(/^Segment .* is saved\.$/).waitFor()
}
