import { beforeAll, expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const USERS = 300
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

beforeAll(async () => {
  const env = `/api/environments/${server.environments.production}`
  await server.call('POST', `${env}/flags`, {
    key: 'button-colour',
    is_enabled: true,
    flag_type: 'string',
    default_value: 'blue',
    variants: [
      { value: 'blue', weight: 1 },
      { value: 'green', weight: 1 },
    ],
  })
  // Every tenth user of blue buys, and every third user of green.
  const users = Array.from({ length: USERS }, (_, index) => ({ user_id: `user-${index}`, index }))
  const seen = users.map(({ user_id, index }) => ({
    flag_key: 'button-colour',
    user_id,
    value: index % 2 === 0 ? 'blue' : 'green',
    evaluated_at: '2026-03-01T10:00:00Z',
  }))
  const buyers = users.filter(({ index }) => (index % 2 === 0 ? index % 20 === 0 : index % 3 === 0))
  await server.call('POST', `${env}/impressions`, seen)
  await server.call(
    'POST',
    `${env}/events`,
    buyers.map(({ user_id }) => ({
      event_key: 'order-placed',
      user_id,
      occurred_at: '2026-03-01T11:00:00Z',
    })),
  )
  await server.call('POST', `${env}/experiments`, {
    name: 'Which colour sells more',
    key: 'colour-sales',
    flag_key: 'button-colour',
    goal_event_key: 'order-placed',
    control_variant: 'blue',
  })
})

test('an experiment shows its results in words, and the numbers are those of the API', async (context) => {
  const path = `/api/environments/${server.environments.production}/experiments/colour-sales/results`
  const { variants, total_exposed, total_converted } = await server.call('GET', path)
  const [blue, green] = variants
  const { page } = await visit(context, server)

  await page.goto(server.page('production', 'experiments/colour-sales'))

  await page.getByRole('heading', { name: '“green” converts better than “blue”' }).waitFor()
  const table = page.getByRole('table', { name: 'Conversion to order-placed' })
  const rows = await table.getByRole('row').allInnerTexts()
  expect(rows[1]).toContain(percent.format(blue.conversion_rate))
  expect(rows[2]).toContain(percent.format(green.conversion_rate))
  expect(rows[2]).toContain(String(green.converted))
  const words = await page.getByRole('region', { name: 'In plain words' }).innerText()
  expect(green).toMatchObject({ significant: true, is_control: false })
  expect(words).toContain(`“green” converts ${Math.round(green.uplift * 100)}% more than “blue”`)
  expect(words).toContain('However often you looked: “green” is better than “blue”')
  const least = Math.round(green.sequential.low * 10_000) / 100
  expect(words).toContain(`by at least ${least} percentage points`)
  const figures = await page.getByRole('status').filter({ hasText: 'converts' }).locator('..').innerText()
  expect(figures).toContain(String(total_exposed))
  expect(figures).toContain(String(total_converted))
})

test('an experiment is created in the page, and waits for its first user with the code that brings them', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'experiments'))

  await page.getByRole('button', { name: 'Create experiment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create experiment' })
  await dialog.getByLabel('Name').fill('Does it sell?')
  await dialog.getByRole('button', { name: 'Create experiment' }).click()
  await dialog.getByText('Choose the flag whose values are compared.').waitFor()
  expect(await dialog.getByLabel('Key').inputValue()).toBe('does-it-sell')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const flags = `/api/environments/${server.environments.staging}/flags`
  await server.call('POST', flags, { key: 'new-checkout', is_enabled: true })
  await server.call('POST', `/api/environments/${server.environments.staging}/events`, [
    { event_key: 'checkout.completed', user_id: 'ada' },
  ])
  await page.reload()
  await page.getByRole('button', { name: 'Create experiment' }).click()
  await dialog.getByLabel('Name').fill('Does it sell?')
  await dialog.getByRole('combobox', { name: 'Flag' }).click()
  await page.getByRole('option', { name: 'new-checkout' }).click()
  await dialog.getByLabel('Goal').fill('checkout')
  const unusable = page.getByRole('option', { name: /^checkout\.completed/ })
  await unusable.getByText('not “.”. Track it as “checkout-completed”.').waitFor()
  await unusable.click({ force: true })
  expect(await dialog.getByLabel('Goal').inputValue()).toBe('checkout')
  await dialog.getByLabel('Goal').fill('checkout.completed')
  await dialog.locator('[aria-invalid="true"]').waitFor()
  await dialog.getByLabel('Goal').fill('order-placed')
  await dialog.getByLabel('Control').fill('false')
  await dialog.getByRole('button', { name: 'Create experiment' }).click()

  await page.getByRole('heading', { level: 1, name: 'Does it sell?' }).waitFor()
  await page.getByRole('heading', { name: 'Waiting for the first user' }).waitFor()
  await page.getByText("flags.track('order-placed', user.id)").waitFor()
  const experiments = await server.call('GET', `/api/environments/${server.environments.staging}/experiments`)
  expect(experiments).toMatchObject([
    { key: 'does-it-sell', flag_key: 'new-checkout', control_variant: 'false', status: 'running' },
  ])
})

test('the status may become any other, and Production asks to type the key before it deletes', async (context) => {
  const env = `/api/environments/${server.environments.production}`
  await server.call('POST', `${env}/experiments`, {
    name: 'To be deleted',
    key: 'short-lived',
    flag_key: 'button-colour',
    goal_event_key: 'order-placed',
  })
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'experiments/short-lived'))

  await page.getByRole('radiogroup', { name: 'Status' }).getByText('Completed').click()
  await page.getByText('The experiment is completed.').waitFor()
  expect(await server.call('GET', `${env}/experiments/short-lived`)).toMatchObject({ status: 'completed' })
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete experiment' })
  expect(await dialog.getByRole('button', { name: 'Delete experiment' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Type short-lived to confirm').fill('short-lived')
  await dialog.getByRole('button', { name: 'Delete experiment' }).click()

  await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor()
  const left: { key: string }[] = await server.call('GET', `${env}/experiments`)
  expect(left.map(({ key }) => key)).toEqual(['colour-sales'])
})

test('a viewer sees experiments and results and can change nothing', async (context) => {
  const viewer = await server.addPerson('vera', 'viewer')
  const { page } = await visit(context, server, { as: viewer })

  await page.goto(server.page('production', 'experiments/colour-sales'))

  await page.getByRole('heading', { name: '“green” converts better than “blue”' }).waitFor()
  expect(await page.getByRole('button', { name: 'Edit' }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  expect(await page.getByRole('radio', { name: 'Paused' }).isDisabled()).toBe(true)
})

test('the winner of a decided experiment is served to everyone after a review, and its flag is offered for cleaning up', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'experiments/colour-sales'))

  await page.getByRole('button', { name: 'Stop and serve “green” to everyone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Serve “green” to everyone' })
  await dialog.getByText('Variant "green" removed').waitFor()
  await dialog.getByRole('button', { name: 'Save to Production' }).click()

  await page.getByText('button-colour serves “green” to everyone. The experiment is completed.').waitFor()
  await page.getByText('Time to clean up').waitFor()
  const env = `/api/environments/${server.environments.production}`
  expect(await server.call('GET', `${env}/experiments/colour-sales`)).toMatchObject({ status: 'completed' })
  expect(await server.call('GET', `${env}/flags/button-colour`)).toMatchObject({
    is_enabled: true,
    default_value: 'green',
    variants: [],
    rules: [],
  })
})
