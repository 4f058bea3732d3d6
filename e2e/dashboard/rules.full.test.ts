import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const RULES = 200
const flagsPath = () => `/api/environments/${server.environments.staging}/flags`
const ruleOf = (at: number) => ({ attribute: 'id', operator: 'equals', values: [`user-${at}`] })

test('of 200 rules those in sight are drawn, and an open one keeps what is typed while the page scrolls', async (context) => {
  const rules = Array.from({ length: RULES }, (_, at) => ruleOf(at))
  await server.call('POST', flagsPath(), { key: 'many-rules', is_enabled: true, rules })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/many-rules'))
  const rule = (at: number) => page.getByRole('listitem', { name: `Rule ${at}`, exact: true })
  await rule(1).waitFor()
  expect(await page.getByRole('listitem', { name: /^Rule \d+$/ }).count()).toBeLessThan(60)
  expect(await rule(1).getAttribute('aria-setsize')).toBe(String(RULES))

  await rule(2)
    .getByRole('button', { name: /user-1/ })
    .click()
  await rule(2).getByRole('combobox', { name: 'Attribute' }).fill('country')
  await page.getByRole('button', { name: 'Add rule' }).click()

  const added = rule(RULES + 1)
  await added.getByRole('combobox', { name: 'Attribute' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('plan')
  await added.getByText('Incomplete: without a value it matches no users.').waitFor()
  await added.getByRole('button', { name: /incomplete/ }).waitFor()
  await page.getByText('2 changes').waitFor()
  await page.getByRole('button', { name: 'Review changes' }).click()
  const review = page.getByRole('dialog', { name: /Review changes/ })
  await review
    .getByText(/country/)
    .first()
    .waitFor()
  await review.getByText('incomplete').first().waitFor()
})

test('a dropdown of the rule editor opens below its field, and the sentence stays in sight', async (context) => {
  await server.call('POST', flagsPath(), { key: 'one-rule', is_enabled: true, rules: [ruleOf(1)] })
  const { page } = await visit(context, server, { viewport: { width: 1_280, height: 520 } })
  await page.goto(server.page('staging', 'flags/one-rule'))
  const rule = page.getByRole('listitem', { name: 'Rule 1', exact: true })
  const sentence = rule.getByRole('button', { name: /user-1/ })
  await sentence.click()
  const field = rule.getByRole('combobox', { name: 'Operator' })
  // At the end of the window, where a dropdown would have flipped over the sentence.
  await field.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await field.click()

  const options = page.getByRole('listbox', { name: 'Operator' })
  await options.waitFor()
  const [fieldBox, optionsBox] = [await field.boundingBox(), await options.boundingBox()]
  expect(optionsBox?.y).toBeGreaterThanOrEqual((fieldBox?.y ?? 0) + (fieldBox?.height ?? 0))
  await page.getByRole('option', { name: 'contains' }).click()
  await rule.getByRole('button', { name: 'If id contains user-1' }).waitFor()
})
