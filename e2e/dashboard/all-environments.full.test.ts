import { beforeAll, expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard({ env: { SDK_KEY: 'an-old-key' } })
const path = (slug: string, rest = '') => `/api/environments/${server.environments[slug]}/flags${rest}`

beforeAll(async () => {
  const flag = { key: 'payments', description: 'Cards', is_enabled: true }
  await server.call('POST', path('development'), flag)
  await server.call('POST', path('production'), { ...flag, rollout_percentage: 25 })
})

test('the page of a flag shows its state in every environment and switches it in each', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags/payments'))
  const strip = page.getByRole('region', { name: 'In all environments' })
  const card = (name: string) => strip.getByRole('listitem').filter({ hasText: name })

  await card('Production').getByText('On for 25%').waitFor()
  await card('Staging').getByText('Not created here').waitFor()
  await card('Production').getByText('by ada@').waitFor()
  await strip.getByRole('switch', { name: 'payments is on in Production' }).click({ force: true })
  const question = page.getByRole('dialog', { name: 'Turn off payments' })
  await question.getByText('Production?').waitFor()
  await question.getByRole('button', { name: 'Turn off' }).click()

  await page.getByText('payments is off').waitFor()
  expect((await server.call('GET', path('production', '/payments'))).is_enabled).toBe(false)
  expect((await server.call('GET', path('development', '/payments'))).is_enabled).toBe(true)
  await card('Production').getByRole('link', { name: 'Production' }).click()
  await page.waitForURL(server.page('production', 'flags/payments'))
})

test('a new flag is created in one environment where that is chosen, and replaces none elsewhere', async (context) => {
  await server.call('POST', path('staging'), {
    key: 'only-here',
    description: 'Of Staging',
    is_enabled: false,
  })
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags?new=flag'))
  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  await dialog.getByLabel('Key').fill('only-here')
  await dialog.getByText('Development only').click()
  await dialog.getByRole('switch', { name: 'Turn it on in Development now' }).click({ force: true })
  await dialog.getByRole('button', { name: 'Create flag' }).click()

  await page.waitForURL(server.page('development', 'flags/only-here'))
  expect(await server.call('GET', path('development', '/only-here'))).toMatchObject({ is_enabled: true })
  expect(await server.call('GET', path('staging', '/only-here'))).toMatchObject({ description: 'Of Staging' })
  const response = await fetch(`${server.url}${path('production', '/only-here')}`, { headers: server.admin })
  expect(response.status).toBe(404)
})

test('the toast of a new flag covers no control of its page', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags?new=flag'))
  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  await dialog.getByLabel('Key').fill('uncovered')
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'uncovered is created' })
  await toast.waitFor()
  await page.getByRole('switch', { name: 'The flag is off' }).click({ force: true })
  const review = page.getByRole('button', { name: 'Review changes' })
  await review.waitFor()

  // A click fails where something else is on top of the button.
  await review.click()

  await page.getByRole('dialog', { name: 'Review changes' }).waitFor()
})

test('before another environment becomes the default, the dialog states that the key of SDK_KEY moves', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/projects/${server.project_id}/settings?tab=environments`)
  await page.getByRole('button', { name: 'Actions for Staging' }).click()
  await page.getByRole('menuitem', { name: 'Make default' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make Staging the default?' })
  await dialog.getByText('The key of the setting SDK_KEY moves as well').waitFor()
  await dialog.getByText('then receive the flags of Staging').waitFor()
  const environment = `/api/projects/${server.project_id}/environments/${server.environments.staging}`
  expect(await server.call('GET', environment)).toMatchObject({ has_legacy_key: false })
  await dialog.getByRole('button', { name: 'Make default' }).click()

  await page.getByText('Staging is the default environment now.').waitFor()
  expect(await server.call('GET', environment)).toMatchObject({ has_legacy_key: true })
})
