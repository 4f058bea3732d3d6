import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const api = (slug: string, path: string) => `/api/environments/${server.environments[slug]}/${path}`

test('the overview of a project shows what waits, changed, runs and comes next, in all environments', async (context) => {
  await server.call('POST', api('production', 'flags'), { key: 'payments', is_enabled: true })
  await server.call('POST', api('staging', 'flags'), { key: 'search', is_enabled: true })
  await server.call('POST', api('staging', 'experiments'), {
    name: 'Does it sell?',
    key: 'sells',
    flag_key: 'search',
    goal_event_key: 'order-placed',
  })
  await server.call('POST', api('production', 'flags/payments/scheduled-changes'), {
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    patch: { is_enabled: false },
  })
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/projects/${server.project_id}/overview`)
  const part = (name: string) => page.getByRole('region', { name })

  await part('Changed today').getByRole('link', { name: 'payments' }).first().waitFor()
  await part('Waiting for your approval').getByText('No change waits for you.').waitFor()
  await part('Running experiments').getByRole('link', { name: 'Does it sell?' }).waitFor()
  await part('Scheduled next').getByRole('link', { name: 'payments' }).waitFor()
  const unused = part('Connected programs').getByRole('link', { name: '0 programs' })
  await expect.poll(() => unused.count()).toBe(3)
  await page.getByRole('link', { name: 'Connect a program' }).click()
  await page.getByRole('heading', { level: 1, name: 'Connect your app' }).waitFor()
})

test('a change of someone else waits on the overview of those who may approve it', async (context) => {
  const editor = await server.addPerson('edda', 'editor')
  await server.call('POST', api('development', 'flags'), { key: 'guarded', is_enabled: true })
  const path = `/api/projects/${server.project_id}/environments/${server.environments.development}/require-approval`
  await server.call('POST', path, { require_approval: true })
  const { context: hers } = await visit(context, server, { as: editor })
  const response = await hers.request.patch(`${server.url}${api('development', 'flags/guarded')}`, {
    data: { is_enabled: false },
    headers: { 'X-FlagService-Request': 'true' },
  })
  expect(response.status()).toBe(202)

  const { page } = await visit(context, server)
  const reads: string[] = []
  page.on('request', (request) => reads.push(request.url()))
  await page.goto(`${server.url}/projects/${server.project_id}/overview`)
  const waiting = page.getByRole('region', { name: 'Waiting for your approval' })
  await waiting.getByText('by edda@example.com').waitFor()
  // One list has the requests of all environments.
  const waitingReads = reads.filter((url) => url.includes('waiting_for_me=true'))
  expect([...new Set(waitingReads.map((url) => new URL(url).pathname))]).toEqual(['/api/change-requests'])
  await waiting.getByRole('link', { name: 'guarded' }).click()

  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
})
