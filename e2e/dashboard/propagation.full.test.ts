import { expect, test } from 'vitest'
import { createClient } from '../../packages/sdk/src/index.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()

test('a switched flag counts the clients that have it, and leads to their list', async (context) => {
  const flags = `/api/environments/${server.environments.development}/flags`
  await server.call('POST', flags, { key: 'watched', is_enabled: true })
  const key = await server.call('POST', `/api/projects/${server.project_id}/keys`, {
    name: 'Checkout',
    environment_id: server.environments.development,
    kind: 'server',
  })
  const client = createClient({ url: server.url, sdkKey: key.key, appName: 'checkout', instanceId: 'host-1' })
  context.onTestFinished(() => client.close())
  await client.connect()
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))
  await page.getByRole('switch', { name: /watched/ }).press('Space')
  const line = page.getByRole('link', { name: /Off everywhere/ })
  await line.waitFor()
  await takePictures(page, 'propagation')
  await line.click()
  const row = page.getByRole('row', { name: /checkout.*host-1/ })
  await row.filter({ hasText: 'current' }).waitFor()
  await takePictures(page, 'clients')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Silent' }).click()
  await page.getByText('No client fits the filter').waitFor()
  expect(new URL(page.url()).searchParams.get('state')).toBe('silent')
})
