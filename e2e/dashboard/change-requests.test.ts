import { beforeAll, expect, test } from 'vitest'
import { putFlag } from '../harness/call-api.ts'
import { type Person, serveDashboard, visit } from './harness/open-dashboard.ts'

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

const flagPath = (key: string) => `/api/environments/${server.environments.production}/flags/${key}`

test('the requester withdraws a request, and the notice of a request leads to it', async (context) => {
  await putFlag(server.url, server.environments.production ?? '', { key: 'withdrawn' })
  const { page } = await visit(context, server, { as: editor })

  await page.goto(server.page('production', 'flags/withdrawn'))
  await page.getByRole('button', { name: 'More actions for this flag' }).click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  await page.getByText('Nothing changes until someone else has approved it.').waitFor()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
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
  await page.getByRole('link', { name: /Change watched/ }).click()
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

  await page.getByText('moved has changed since this was asked for').waitFor()
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
