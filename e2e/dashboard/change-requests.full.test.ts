import { beforeAll, expect, test } from 'vitest'
import { putFlag } from '../harness/call-api.ts'
import { type Person, serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()
let editor: Person

beforeAll(async () => {
  editor = await server.addPerson('edda', 'editor')
  await server.call(
    'POST',
    `/api/projects/${server.project_id}/environments/${server.environments.production}/require-approval`,
    { require_approval: true, approval_scope: 'all' },
  )
})

const flagPath = (key: string) =>
  `/api/environments/${server.environments.production}/flags${key === '' ? '' : `/${key}`}`

test('the requester withdraws a request, and the notice of a request leads to it', async (context) => {
  await putFlag(server.url, server.environments.production ?? '', { key: 'withdrawn' })
  const { page } = await visit(context, server, { as: editor })

  await page.goto(server.page('production', 'flags/withdrawn'))
  await page.getByRole('button', { name: 'More actions for this flag' }).click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  await page.getByText('Nothing changes until someone else has approved it.').waitFor()
  await page.getByRole('button', { name: 'Request approval' }).click()
  await page.getByRole('link', { name: /See change request/ }).click()
  await page.getByRole('heading', { name: 'Archive withdrawn' }).waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()

  await page.getByText(/Request \d+ is withdrawn/).waitFor()
  expect(await server.call('GET', flagPath('withdrawn'))).toMatchObject({ archived_at: null })
})

test('a viewer sees a request and cannot decide it', async (context) => {
  await putFlag(server.url, server.environments.production ?? '', { key: 'watched' })
  await server.call('PATCH', flagPath('watched'), { description: 'x' })
  const viewer = await server.addPerson('vera', 'viewer')
  const { page } = await visit(context, server, { as: viewer })

  await page.goto(server.page('production', 'change-requests'))
  const link = page.getByRole('link', { name: /Change watched/ })
  await link.waitFor()
  await page.setViewportSize({ width: 390, height: 900 })
  for (const tab of await page.getByRole('tab').all()) {
    const { width = 0, x = 0 } = (await tab.boundingBox()) ?? {}
    expect(x + width, (await tab.textContent()) ?? '').toBeLessThanOrEqual(390)
  }
  await takePictures(page, 'change-requests')
  await page.setViewportSize({ width: 1280, height: 900 })
  await link.click()
  await page
    .getByRole('group', { name: /This needs the role editor or admin/ })
    .first()
    .waitFor()

  for (const name of ['Approve', 'Reject…', 'Withdraw']) {
    expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
  }
})

test('a reviewer approves what they saw: a flag that moved on is looked at again first', async (context) => {
  await putFlag(server.url, server.environments.production ?? '', { key: 'moved' })
  const { id } = await server.call('PATCH', flagPath('moved'), { rollout_percentage: 50 })
  const { page } = await visit(context, server, { as: editor })
  const list = '**/api/environments/*/change-requests*'
  const seen = await page
    .context()
    .request.get(
      `${server.url}/api/environments/${server.environments.production}/change-requests?preview=true`,
    )
  // The page shows the flag of before until it has tried to approve.
  await page.route(list, (route) => route.fulfill({ response: seen }))
  await page.route('**/approve', async (route) => {
    await page.unroute(list)
    await route.continue()
  })
  await page.goto(`${server.page('production', 'change-requests')}?id=${id}`)
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  const other = await server.call('PATCH', flagPath('moved'), { description: 'Another change' })
  const path = `/api/environments/${server.environments.production}/change-requests/${other.id}/approve`
  expect((await editorCall('POST', path)).status()).toBe(200)

  await approve.click()
  await page.getByText('The decision was not saved').waitFor()
  await page
    .getByText(/The flag "moved" was changed since you looked at it/)
    .first()
    .waitFor()
  expect((await server.call('GET', flagPath('moved'))).rollout_percentage).toBeNull()

  await page.getByText('moved has changed since this was requested').waitFor()
  await approve.click()
  await page.getByText('Approved: moved is changed').waitFor()
  expect(await server.call('GET', flagPath('moved'))).toMatchObject({ rollout_percentage: 50 })

  function editorCall(method: string, target: string) {
    const headers = { 'x-flagservice-request': 'true' }
    return page.context().request.fetch(`${server.url}${target}`, { method, headers })
  }
})

test('the requests of one environment are never listed in another', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'change-requests'))
  const listed = page.getByRole('list', { name: 'Change requests' })
  await listed.waitFor()
  // The other environment's response does not arrive.
  await page.route(`**/${server.environments.staging}/change-requests*`, () => undefined)

  await page
    .getByRole('button', { name: /Production/ })
    .first()
    .click()
  await page
    .getByRole('menuitem', { name: /Staging/ })
    .or(page.getByRole('option', { name: /Staging/ }))
    .first()
    .click()

  await page.waitForURL(new RegExp(`${server.environments.staging}/change-requests`))
  await page.getByText('Changes waiting for approval in Staging').waitFor()
  expect(await listed.count()).toBe(0)
})

test('the creation of a flag is withdrawn by its requester, or approved by someone else', async (context) => {
  const prerequisites = [{ flag_key: 'awaited', required_value: true }]
  await putFlag(server.url, server.environments.production ?? '', { key: 'dependent', prerequisites })
  const exists = async () => {
    const flags: { key: string }[] = await server.call('GET', flagPath(''))
    return flags.some(({ key }) => key === 'awaited')
  }
  const { page, context: hers } = await visit(context, server, { as: editor })
  const asked = await hers.request.post(`${server.url}${flagPath('')}`, {
    data: { key: 'awaited', is_enabled: true },
    headers: { 'x-flagservice-request': 'true' },
  })
  expect(asked.status()).toBe(202)

  await page.goto(server.page('production', 'change-requests'))
  await page.getByRole('link', { name: /Create awaited/ }).click()
  await page.getByRole('heading', { name: 'Create awaited' }).waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText(/Request \d+ is withdrawn/).waitFor()
  expect(await exists()).toBe(false)

  const { id } = await server.call('POST', flagPath(''), { key: 'awaited', is_enabled: true })
  await page.goto(`${server.page('production', 'change-requests')}?id=${id}`)
  await page.getByRole('heading', { name: 'Create awaited' }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved: awaited is created').waitFor()
  expect(await exists()).toBe(true)
  await page.goto(server.page('production', 'flags/awaited'))
  await page.getByRole('heading', { level: 1, name: 'awaited' }).waitFor()
})

test('an approved schedule is withdrawn by two people, and stays while one of them asks', async (context) => {
  await putFlag(server.url, server.environments.production ?? '', { key: 'planned' })
  const schedules = () => server.call('GET', flagPath('planned/scheduled-changes'))
  const requests = `/api/environments/${server.environments.production}/change-requests`
  const { page, context: hers } = await visit(context, server, { as: editor })
  const planned = await server.call('POST', flagPath('planned/scheduled-changes'), {
    scheduled_at: '9999-12-31T23:59:00Z',
    patch: { is_enabled: false },
  })
  const approved = await hers.request.post(`${server.url}${requests}/${planned.id}/approve`, {
    headers: { 'x-flagservice-request': 'true' },
  })
  expect(approved.status()).toBe(200)

  await page.goto(`${server.page('production', 'flags/planned')}?tab=schedule`)
  await page.getByRole('button', { name: /^Cancel the change of planned/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel the approved change?' })
  await dialog.getByRole('button', { name: 'Cancel change' }).click()
  await page.getByText('Waiting for approval').waitFor()
  await page.goto(server.page('production', 'change-requests'))
  await page.getByRole('link', { name: /Withdraw a scheduled change of planned/ }).click()
  await page.getByText('The scheduled change is withdrawn. The flag stays as it is.').waitFor()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await page.getByText(/Request \d+ is withdrawn/).waitFor()
  const [{ id: scheduleId }] = await schedules()

  const path = `/api/environments/${server.environments.production}/scheduled-changes/${scheduleId}`
  const { id } = await server.call('DELETE', path)
  await page.goto(`${server.page('production', 'change-requests')}?id=${id}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved: the scheduled change of planned is withdrawn').waitFor()
  expect(await schedules()).toEqual([])
  expect(await server.call('GET', flagPath('planned'))).toMatchObject({ is_enabled: true })
})
