import { createFlagSet } from '@burgee/evaluation'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { callApi } from '../harness/call-api.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

const flagsPath = (): string => `/api/environments/${server.environments.staging}/flags`
const readFlag = (key: string) => server.call('GET', `${flagsPath()}/${key}`)
const putFlag = (flag: object) => server.call('POST', flagsPath(), { is_enabled: true, ...flag })

/** Opens the review and saves; gives when the server has taken it. */
async function saveReviewed(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save to Staging' }).click()
  await page.getByText('is saved').waitFor()
}

test('a change is reviewed before it is saved, and taken back where it was a mistake', async (context) => {
  await putFlag({ key: 'edited', is_enabled: false, rollout_percentage: 10 })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/edited'))

  await page.getByLabel('The flag is off').click()
  await page.getByLabel('Rollout percentage', { exact: true }).fill('40')
  await page.keyboard.press('Control+s')

  const dialog = page.getByRole('dialog')
  await dialog.getByText('Switched on').waitFor()
  await dialog.getByText(/Rollout 10% → 40%/).waitFor()
  expect(await readFlag('edited')).toMatchObject({ is_enabled: false, rollout_percentage: 10 })
  await dialog.getByRole('button', { name: 'Save to Staging' }).click()
  await page.getByText('edited is saved').waitFor()
  expect(await readFlag('edited')).toMatchObject({ is_enabled: true, rollout_percentage: 40 })

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByLabel('The flag is off').waitFor()
  expect(await readFlag('edited')).toMatchObject({ is_enabled: false, rollout_percentage: 10 })
})

test('a rule is built as a sentence, put in order with the keys, and decides what a user gets', async (context) => {
  const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: 1 }]
  await putFlag({ key: 'price', flag_type: 'integer', default_value: 60, rules })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/price'))

  await page.getByRole('button', { name: 'Add rule' }).click()
  const rule = page.getByRole('listitem', { name: 'Rule 2' })
  await rule.getByRole('combobox', { name: 'Attribute' }).fill('country')
  await rule.getByLabel('Values').fill('NO')
  await page.keyboard.press('Enter')
  await page.keyboard.type('SE,')
  await rule.getByRole('button', { name: 'Add condition (AND)' }).click()
  const condition = rule.getByRole('group', { name: 'Condition 1' })
  await condition.getByLabel('Attribute').fill('age')
  await condition.getByRole('combobox', { name: 'Operator' }).click()
  await page.getByRole('option', { name: 'is at least (number)' }).click()
  await condition.getByLabel('Values').fill('18')
  await rule.getByLabel('Serve').fill('40')
  const sentence = 'If country is one of NO, SE and age is at least 18 serve 40'
  await page.getByRole('button', { name: sentence }).press('Alt+ArrowUp')

  await page.getByText('Rule moved to place 1 of 2.').waitFor()
  await page.getByRole('listitem', { name: 'Rule 1' }).getByRole('button', { name: sentence }).waitFor()
  await saveReviewed(page)
  const { body } = await callApi(server.url, 'GET', `${flagsPath()}`, undefined, server.admin)
  const flags = createFlagSet(body)
  const evaluate = (attributes: Record<string, string | number>) =>
    flags.evaluate('price', { userKey: 'u', attributes }).value
  expect(evaluate({ country: 'SE', age: 18, plan: 'pro' })).toBe(40)
  expect(evaluate({ country: 'SE', age: 17, plan: 'pro' })).toBe(1)
  expect(evaluate({ country: 'SE', age: 17 })).toBe(60)
})

test('variants divide users by weight, shown as percentages', async (context) => {
  await putFlag({ key: 'colour', flag_type: 'string', default_value: 'blue' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/colour'))

  await page.getByRole('button', { name: 'Divide users by weight' }).click()
  await page.getByRole('button', { name: 'Add variant' }).click()
  await page.getByLabel('Value of variant 2').fill('green')
  await page.getByLabel('Weight of variant 1').fill('3')
  await page.getByLabel('Weight of variant 2').fill('1')

  const bar = page.getByRole('list', { name: 'Shares of the variants' })
  expect(await bar.getByRole('listitem').allTextContents()).toEqual(['75%', '25%'])
  await page.getByRole('button', { name: 'Even split' }).click()
  expect(await bar.getByRole('listitem').allTextContents()).toEqual(['50%', '50%'])
  await saveReviewed(page)
  expect((await readFlag('colour')).variants).toEqual([
    { weight: 50, value: 'blue' },
    { weight: 50, value: 'green' },
  ])
})

test('a mistake in a JSON value is named with its line, and nothing that was typed is lost', async (context) => {
  await putFlag({ key: 'layout', flag_type: 'json', default_value: { columns: 3 } })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/layout'))

  const value = page.getByRole('textbox', { name: 'Default value' })
  await value.fill('{\n  "columns": 4\n  "dense": true\n}')
  await page.getByRole('alert').getByText('Line 3, column 3: a comma is missing.').waitFor()
  expect(await page.getByRole('button', { name: 'Review changes' }).count()).toBe(0)

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('tab', { name: 'Targeting' }).click()
  expect(await value.textContent()).toContain('"columns": 4  "dense": true')
  await value.fill('{"columns": 4, "dense": true}')
  await saveReviewed(page)
  expect((await readFlag('layout')).default_value).toEqual({ columns: 4, dense: true })
})

test('the whole flag can be written as JSON, and what does not fit is refused with its place', async (context) => {
  await putFlag({ key: 'raw' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/raw?tab=json'))

  const json = page.getByRole('textbox', { name: 'Flag as JSON' })
  await json.fill('{"is_enabled": true, "rollout_percentage": 101}')
  await page.getByRole('button', { name: 'Apply and review' }).click()
  await page.getByRole('alert').getByText('Rollout percentage must be from 0 to 100.').waitFor()
  await json.fill('{"is_enabled": true, "rollout_percentage": 100, "tags": ["raw"]}')
  await page.getByRole('button', { name: 'Apply and review' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save to Staging' }).click()

  await page.getByText('raw is saved').waitFor()
  expect(await readFlag('raw')).toMatchObject({ rollout_percentage: 100, tags: ['raw'] })
})

test('JSON that is typed while someone else changes the flag does not revert their change', async (context) => {
  await putFlag({ key: 'typed', rollout_percentage: 10 })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/typed?tab=json'))
  const json = page.getByRole('textbox', { name: 'Flag as JSON' })
  await json.fill('{"is_enabled": true, "rollout_percentage": 10, "tags": ["raw"]}')

  await server.call('PATCH', `${flagsPath()}/typed`, { rollout_percentage: 80 })
  await page.getByText('The flag has changed since you began to type.').waitFor()
  await page.getByRole('button', { name: 'Apply and review' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save to Staging' }).click()

  await page.getByText('typed is saved').waitFor()
  expect(await readFlag('typed')).toMatchObject({ rollout_percentage: 80, tags: ['raw'] })
})

test('many values of a rule are a text, which follows what someone else changes', async (context) => {
  const values = Array.from({ length: 61 }, (_, index) => `v${index}`)
  const rule = { attribute: 'plan', operator: 'equals' }
  await putFlag({ key: 'listed', rules: [{ ...rule, values }] })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/listed'))
  await page.getByRole('button', { name: /^If plan is one of/ }).click()
  const text = page.getByRole('textbox', { name: 'Values' })
  await text.waitFor()

  await server.call('PATCH', `${flagsPath()}/listed`, { rules: [{ ...rule, values: [...values, 'theirs'] }] })
  await page.getByText('62 values, one on each line').waitFor()
  await text.fill((await text.inputValue()).split('\n').slice(3).join('\n'))
  await text.press('End')
  await saveReviewed(page)

  expect((await readFlag('listed')).rules[0].values).toEqual([...values.slice(3), 'theirs'])
})

test('a number that is emptied and left shows again what it is', async (context) => {
  await putFlag({ key: 'emptied', rollout_percentage: 40 })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/emptied'))

  const rollout = page.getByLabel('Rollout percentage', { exact: true })
  await rollout.fill('')
  await rollout.blur()

  expect(await rollout.inputValue()).toBe('40%')
  expect(await page.getByRole('button', { name: 'Review changes' }).count()).toBe(0)
})

test('warnings are shown on the page, before a save and before scheduling, the first ones by name', async (context) => {
  const rule = { attribute: 'country', operator: 'equals', values: ['NO'] }
  await putFlag({ key: 'warned', prerequisites: [{ flag_key: 'gone' }], rules: Array(8).fill(rule) })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/warned'))

  const known = page.getByRole('region', { name: 'Probably a mistake in this flag' })
  const unreached = 'Rule 2: Every user that this rule matches is already matched by rule 1'
  await known.getByText(unreached).waitFor()
  expect(await known.getByRole('listitem').count()).toBe(5)
  await known.getByRole('button', { name: 'and 3 more' }).click()
  await known.getByText('Prerequisite 1: There is no flag "gone"').waitFor()
  await page.getByText('There is no such flag here').waitFor()
  await page.getByRole('textbox', { name: 'Description' }).fill('Soon')
  await page.getByRole('button', { name: 'Review changes' }).click()

  const warnings = page.getByRole('dialog').getByRole('alert')
  await warnings.getByText(unreached).waitFor()
  await page.getByRole('button', { name: 'Schedule instead…' }).click()
  const scheduling = page.getByRole('dialog', { name: 'Schedule a change of warned' })
  await scheduling.getByRole('alert').getByText(unreached).waitFor()
  expect((await readFlag('warned')).description).toBeNull()
})

test('when two people edit, the second is shown what the first did and overwrites nothing unseen', async (context) => {
  await putFlag({ key: 'shared', rollout_percentage: 10 })
  const ada = await visit(context, server)
  const grace = await visit(context, server)
  for (const { page } of [ada, grace]) await page.goto(server.page('staging', 'flags/shared'))

  await grace.page.getByLabel('Rollout percentage', { exact: true }).fill('50')
  await ada.page.getByLabel('Rollout percentage', { exact: true }).fill('20')
  await ada.page.getByRole('textbox', { name: 'Owner' }).fill('ada@example.com')
  await saveReviewed(ada.page)

  const panel = grace.page.getByRole('alert').filter({ hasText: 'changed this flag while you were editing' })
  await panel.getByText(/Rollout 10% → 20%/).waitFor()
  await panel.getByText('You both changed the rollout.').waitFor()
  await panel.getByRole('button', { name: 'Keep my changes' }).click()
  await saveReviewed(grace.page)
  expect(await readFlag('shared')).toMatchObject({ rollout_percentage: 50, owner_email: 'ada@example.com' })
})

test('a save that is based on a stale revision is refused and shown as a conflict', async (context) => {
  await putFlag({ key: 'stale', rollout_percentage: 10 })
  const { page, context: browserContext } = await visit(context, server)
  // Without its stream the page learns of the other change only when it saves.
  await browserContext.route('**/stream**', (route) => route.abort())
  await page.goto(server.page('staging', 'flags/stale'))
  await page.getByRole('textbox', { name: 'Owner' }).fill('grace@example.com')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await server.call('PATCH', `${flagsPath()}/stale`, { rollout_percentage: 20 })

  await page.getByRole('dialog').getByRole('button', { name: 'Save to Staging' }).click()

  await page.getByText('changed this flag while you were editing').waitFor()
  expect((await readFlag('stale')).owner_email).toBeNull()
  await page.getByRole('button', { name: 'Discard my changes' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Rollout percentage', { exact: true }).inputValue()).toBe('20%')
})

test('a flag that someone deletes while it is edited keeps the changes in sight', async (context) => {
  await putFlag({ key: 'deleted' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/deleted'))
  await page.getByLabel('Rollout percentage', { exact: true }).fill('40')

  await server.call('DELETE', `${flagsPath()}/deleted`)

  await page.getByText('This flag was deleted while you were editing').waitFor()
  expect(await page.getByRole('button', { name: 'Review changes' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('There is no flag “deleted” in Staging').waitFor()
})

test('leaving with unsaved changes asks first', async (context) => {
  await putFlag({ key: 'left' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/left'))
  await page.getByLabel('Rollout percentage', { exact: true }).fill('40')

  await page.getByRole('link', { name: 'Segments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  expect(await page.getByLabel('Rollout percentage', { exact: true }).inputValue()).toBe('40%')

  await page.getByRole('link', { name: 'Segments' }).click()
  await dialog.getByRole('button', { name: 'Discard and leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
})

test('a viewer sees everything and can change nothing', async (context) => {
  const rules = [{ attribute: 'country', operator: 'equals', values: ['NO'] }]
  await putFlag({ key: 'seen', rules, description: 'For all to see' })
  const viewer = await server.addPerson('viewer', 'viewer')
  const { page } = await visit(context, server, { as: viewer })

  await page.goto(server.page('staging', 'flags/seen'))

  await page.getByText('This needs the role editor').first().waitFor()
  await page.getByRole('button', { name: 'If country is NO serve true' }).click()
  expect(await page.getByLabel('The flag is on').isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Add rule' }).count()).toBe(0)
  for (const name of ['Description', 'Owner', 'Rollout percentage']) {
    expect(await page.getByRole('textbox', { name, exact: true }).isEditable(), name).toBe(false)
  }
  for (const name of ['Tags', 'Attribute', 'Operator']) {
    expect(await page.getByRole('combobox', { name, exact: true }).isEditable(), name).toBe(false)
  }
})
