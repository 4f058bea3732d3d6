import { expect, test } from 'vitest'
import { serveDashboard } from '../harness/open-dashboard.ts'
import { openStory } from '../harness/open-story.ts'

const server = serveDashboard()
const windowOf = openStory(server)
const USERS = 300
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

const api = (path: string) => `/api/environments/${server.environments.production}/${path}`

/** Reports what programs have seen: every tenth user of blue buys, and every third user of green. */
async function reportUsers(): Promise<void> {
  const users = Array.from({ length: USERS }, (_, index) => ({ user_id: `user-${index}`, index }))
  const seen = users.map(({ user_id, index }) => ({
    flag_key: 'button-colour',
    user_id,
    value: index % 2 === 0 ? 'blue' : 'green',
    evaluated_at: '2026-03-01T10:00:00Z',
  }))
  const buyers = users.filter(({ index }) => (index % 2 === 0 ? index % 20 === 0 : index % 3 === 0))
  await server.call('POST', api('impressions'), seen)
  await server.call(
    'POST',
    api('events'),
    buyers.map(({ user_id }) => ({
      event_key: 'order-placed',
      user_id,
      occurred_at: '2026-03-01T11:00:00Z',
    })),
  )
}

test('a flag is created for the colors of a button, and divides users by weight', async (context) => {
  const { page } = await windowOf(context, 'product manager')
  await page.goto(server.page('production', 'flags?new=flag'))
  const form = page.getByRole('dialog', { name: 'Create flag' })
  await form.getByLabel('Key').fill('button colour')
  await form.getByText('Production only').click()
  await form.getByText('String', { exact: true }).click()
  await form.getByLabel('Value when on').fill('blue')
  await form.getByLabel('Value when off').fill('blue')
  await form.getByRole('button', { name: 'Create flag' }).click()
  await page.waitForURL(server.page('production', 'flags/button-colour'))

  await page.getByRole('switch', { name: 'The flag is off' }).click({ force: true })
  await page.getByRole('button', { name: 'Divide users by weight' }).click()
  await page.getByRole('button', { name: 'Add variant' }).click()
  await page.getByLabel('Value of variant 2').fill('green')
  await page.getByRole('button', { name: 'Even split' }).click()
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save to Production' }).click()

  await page.getByText('button-colour is saved').waitFor()
  const { variants } = await server.call('GET', api('flags/button-colour'))
  expect(variants).toMatchObject([{ value: 'blue' }, { value: 'green' }])
})

test('an experiment is created in the page, and waits for its first user with the code that brings them', async (context) => {
  const { page } = await windowOf(context, 'product manager')
  await page.goto(server.page('production', 'experiments'))

  await page.getByRole('button', { name: 'Create experiment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create experiment' })
  await dialog.getByLabel('Name').fill('Colour sales')
  await dialog.getByRole('button', { name: 'Create experiment' }).click()
  await dialog.getByText('Choose the flag whose values are compared.').waitFor()
  expect(await dialog.getByLabel('Key').inputValue()).toBe('colour-sales')
  await dialog.getByRole('combobox', { name: 'Flag' }).click()
  await page.getByRole('option', { name: 'button-colour' }).click()
  await dialog.getByLabel('Goal').fill('order-placed')
  await dialog.getByLabel('Control').fill('blue')
  await dialog.getByRole('button', { name: 'Create experiment' }).click()

  await page.getByRole('heading', { level: 1, name: 'Colour sales' }).waitFor()
  await page.getByRole('heading', { name: 'Waiting for the first user' }).waitFor()
  await page.getByText("flags.track('order-placed', user.id)").waitFor()
  expect(await server.call('GET', api('experiments'))).toMatchObject([
    { key: 'colour-sales', flag_key: 'button-colour', control_variant: 'blue', status: 'running' },
  ])
})

test('once programs have reported, the results are in words, and the numbers are those of the API', async (context) => {
  await reportUsers()
  const path = `/api/environments/${server.environments.production}/experiments/colour-sales/results`
  const { variants, total_exposed, total_converted } = await server.call('GET', path)
  const [blue, green] = variants
  const { page } = await windowOf(context, 'product manager')
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

test('a viewer sees experiments and results and can change nothing', async (context) => {
  const viewer = await server.addPerson('vera', 'viewer')
  const { page } = await windowOf(context, 'viewer', { as: viewer })

  await page.goto(server.page('production', 'experiments/colour-sales'))

  await page.getByRole('heading', { name: '“green” converts better than “blue”' }).waitFor()
  expect(await page.getByRole('button', { name: 'Edit' }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  expect(await page.getByRole('radio', { name: 'Paused' }).isDisabled()).toBe(true)
})

test('the winner of a decided experiment is served to everyone after a review, and its flag is offered for cleaning up', async (context) => {
  const { page } = await windowOf(context, 'product manager')

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

test('Production asks to type the key before it deletes the experiment', async (context) => {
  const { page } = await windowOf(context, 'product manager')

  await page.getByRole('radiogroup', { name: 'Status' }).getByText('Running').click()
  await page.getByText('The experiment is running.').waitFor()
  expect(await server.call('GET', api('experiments/colour-sales'))).toMatchObject({ status: 'running' })
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete experiment' })
  expect(await dialog.getByRole('button', { name: 'Delete experiment' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Type colour-sales to confirm').fill('colour-sales')
  await dialog.getByRole('button', { name: 'Delete experiment' }).click()

  await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor()
  expect(await server.call('GET', api('experiments'))).toEqual([])
})
