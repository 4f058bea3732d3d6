import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { callApi, signIn } from '../harness/call-api.ts'
import { type Person, serveDashboard } from './harness/open-dashboard.ts'
import { openStory } from './harness/open-story.ts'

const server = serveDashboard()
const windowOf = openStory(server)
let edda: Person
let otto: Person
let vera: Person

const env = () => server.environments.production ?? ''
const at = (path: string) => `/api/environments/${env()}/${path}`
const setting = () => `/api/projects/${server.project_id}/environments/${env()}/require-approval`
const settings = () => `${server.url}/projects/${server.project_id}/settings?tab=environments`
const flag = (key: string) => server.call('GET', at(`flags/${key}`))
const openRequest = (page: Page, id: number) =>
  page.goto(`${server.page('production', 'change-requests')}?id=${id}`)

beforeAll(async () => {
  edda = await server.addPerson('edda', 'editor')
  otto = await server.addPerson('otto', 'editor')
  vera = await server.addPerson('vera', 'viewer')
})

/** Calls the API as one of the people. */
async function callAs(person: Person, path: string, body: object, method = 'PATCH') {
  const headers = await signIn(server.url, person)
  const response = await callApi(server.url, method, path, body, headers)
  expect(response.status).toBeLessThan(300)
  return response.body
}

/** Requests to switch a new flag on, as the admin where no one is given. Returns the id of the request. */
async function requestChange(key: string, by: Person | null = edda): Promise<number> {
  await server.call('POST', at('flags'), { key, is_enabled: false })
  const path = at(`flags/${key}`)
  const body = { is_enabled: true }
  return (await (by ? callAs(by, path, body) : server.call('PATCH', path, body))).id
}

test('switching approval on shows what passes and what is planned, and makes a request of it', async (context) => {
  await server.call('POST', at('flags'), { key: 'launch', is_enabled: false })
  const planned = { scheduled_at: '2999-01-01T08:00:00Z', patch: { is_enabled: true } }
  await callAs(edda, at('flags/launch/scheduled-changes'), planned, 'POST')
  const { page } = await windowOf(context, 'admin')

  await page.goto(settings())
  await page.getByRole('switch', { name: 'Require approval in Production' }).click()
  const dialog = page.getByRole('dialog', { name: 'Require approval in Production' })
  await dialog.getByRole('radio', { name: 'Edits only' }).check()
  await dialog.getByText('They run at their times without a review').waitFor()
  const passing = dialog.getByRole('region', { name: 'What passes without a review' })
  await passing.getByText('Deleting a flag').waitFor()
  await dialog.getByRole('radio', { name: 'Every change to an existing flag' }).check()
  await passing.getByText('Creating a flag that is new').waitFor()
  expect(await passing.getByText('Deleting a flag').count()).toBe(0)
  await dialog.getByText('1 change is scheduled without an approval').waitFor()
  await dialog.getByRole('list', { name: 'Scheduled without an approval' }).getByText('launch').waitFor()

  const numbers = dialog.getByRole('radiogroup', { name: 'Approvals needed' })
  await numbers.getByText('3', { exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Approvers' }).click()
  await page.getByRole('option', { name: 'Role Editor' }).click()
  await dialog.getByText('Only 2 people can approve here, and 3 must').waitFor()
  await numbers.getByText('2', { exact: true }).click()
  await dialog.getByText('waits for someone else').waitFor()
  await dialog.getByRole('button', { name: 'Require approval' }).click()

  await page.getByText('1 scheduled change waits for approval.').waitFor()
  await page.getByRole('button', { name: /Every change · 2 approvals · 1 approver/ }).waitFor()
  expect(await server.call('GET', at('change-requests?status=pending'))).toMatchObject([
    { flag_key: 'launch', requested_by: 'edda@example.com', scheduled_at: '2999-01-01T08:00:00.000Z' },
  ])
})

test('two people approve, and the first cannot approve again', async (context) => {
  const id = await requestChange('checkout', null)
  const first = await windowOf(context, 'edda', { as: edda })
  await openRequest(first.page, id)
  await first.page.getByRole('heading', { name: '0 of 2 approvals' }).waitFor()
  await first.page.getByText('Approvers here: everyone with the role Editor.').waitFor()
  await first.page.getByLabel('Comment', { exact: true }).fill('Looks right')
  await first.page.getByRole('button', { name: 'Approve' }).click()

  await first.page.getByRole('heading', { name: '1 of 2 approvals' }).waitFor()
  await first.page.getByRole('region', { name: 'Approvals' }).getByText('Looks right').waitFor()
  await first.page.getByRole('group', { name: /You have approved this already/ }).waitFor()
  expect((await flag('checkout')).is_enabled).toBe(false)

  const second = await windowOf(context, 'otto', { as: otto })
  await openRequest(second.page, id)
  await second.page.getByRole('button', { name: 'Approve' }).click()
  await second.page.getByText('Approved: checkout is changed').waitFor()
  expect((await flag('checkout')).is_enabled).toBe(true)
})

test('who is not on the list of approvers reads why, and an approval of an earlier flag does not count', async (context) => {
  const id = await requestChange('banner', null)
  await server.call('POST', at(`change-requests/${id}/comments`), { text: 'Please look' })
  await callAs(otto, at(`change-requests/${id}/approve`), {}, 'POST')
  await server.call('POST', setting(), { require_approval: false })
  await server.call('PATCH', at('flags/banner'), { description: 'Another change' })
  const { id: user_id } = (await server.call('GET', '/api/users')).find(
    ({ email }: { email: string }) => email === otto.email,
  )
  const strict = { require_approval: true, approval_scope: 'all', min_approvals: 1, approvers: [{ user_id }] }
  await server.call('POST', setting(), strict)

  const { page } = await windowOf(context, 'edda')
  await openRequest(page, id)
  await page.getByText('Does not count any more: the flag has changed since').waitFor()
  await page.getByRole('group', { name: /Only the approvers of this environment can approve/ }).waitFor()
})

test('a workspace admin applies a request alone with a reason, which marks it everywhere', async (context) => {
  const id = await requestChange('payments')
  const { page } = await windowOf(context, 'admin')
  await openRequest(page, id)
  await page.getByRole('button', { name: 'Apply without approval…' }).click()
  await page.getByText('Apply with 0 of 1 approval?').waitFor()
  await page.getByRole('group', { name: 'Write the reason first.' }).waitFor()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Checkout is down')
  await page.getByRole('textbox', { name: 'Reason' }).press('Control+Enter')

  await page.getByText('Applied without approval: payments is changed').waitFor()
  await page.getByText(/^Applied without approval by ada@/).waitFor()
  expect(await server.call('GET', at(`change-requests/${id}`))).toMatchObject({
    status: 'approved',
    bypass_reason: 'Checkout is down',
  })
  await page.getByRole('tab', { name: 'Approved' }).click()
  await page.getByRole('link', { name: /Change payments.*Without approval/ }).waitFor()
  await page.goto(server.page('production', 'audit'))
  await page.getByText('applied, without approval, a change of').first().waitFor()
})

test('an editor and a viewer discuss a request with the keyboard', async (context) => {
  const id = await requestChange('talk')
  const { page } = await windowOf(context, 'edda')
  await openRequest(page, id)
  const box = page.getByRole('textbox', { name: 'Write to the discussion' })
  await box.fill('Is the fallback tested?\n<b>Really?</b>')
  await box.press('Control+Enter')
  await page.getByRole('heading', { name: 'Discussion (1)' }).waitFor()
  expect(await box.inputValue()).toBe('')

  const other = await windowOf(context, 'vera', { as: vera })
  await openRequest(other.page, id)
  const discussion = other.page.getByRole('region', { name: 'Discussion' })
  await discussion.getByText('<b>Really?</b>').waitFor()
  await discussion.getByRole('textbox').fill('Yes.')
  await discussion.getByRole('button', { name: 'Comment' }).click()
  await discussion.getByText('vera@example.com').waitFor()
  expect((await server.call('GET', at(`change-requests/${id}`))).comments).toMatchObject([
    { author: 'edda@example.com' },
    { author: 'vera@example.com', text: 'Yes.' },
  ])
})

test('the header counts what waits for the reader, and its page leads to the request', async (context) => {
  const { page } = await windowOf(context, 'otto')
  await page.goto(`${server.url}/projects`)
  await page.getByRole('link', { name: /change requests wait for you/ }).click()
  await page.getByRole('heading', { name: 'Change requests of all projects' }).waitFor()
  const listed = page.getByRole('list', { name: 'Change requests' })
  await listed.getByRole('link', { name: /Change talk.*Production.*edda@example.com/ }).waitFor()
  await page.getByRole('tab', { name: 'Mine' }).click()
  await page.getByText('You have requested nothing').waitFor()
  await page.getByRole('tab', { name: 'All open' }).click()
  const first = listed.getByRole('link').first()
  await first.focus()
  await first.press('ArrowDown')
  await page.keyboard.press('Enter')

  await page.waitForURL(/\/environments\/.*\/change-requests\?id=\d+/)
  await page.getByRole('region', { name: 'Discussion' }).waitFor()
})

test('workspace admins read the log of all projects, deleted ones included, and link to an entry', async (context) => {
  const project = await server.call('POST', '/api/projects', { name: 'Short lived' })
  await server.call('DELETE', `/api/projects/${project.id}`)
  const { page } = await windowOf(context, 'admin')
  await page.goto(`${server.url}/workspace`)
  await page.getByRole('link', { name: 'Audit log', exact: true }).last().click()
  await page.getByRole('heading', { name: 'Audit log of the workspace' }).waitFor()
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'Short lived' }).click()
  const entries = page.getByRole('list', { name: 'Entries' })
  await page.getByText('2 entries').waitFor()
  await entries.getByText('Short lived (deleted)').first().waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe('audit-workspace.ndjson')

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('combobox', { name: 'About' }).selectOption('change_requests')
  const bypassed = entries.getByRole('button', { name: /applied, without approval, a change of payments/ })
  await bypassed.click()
  await entries.getByText('Reason: Checkout is down').waitFor()
  await entries.getByRole('link', { name: 'Link to this entry' }).click()
  await page.waitForURL(/\/workspace\/audit\?entry=\d+/)
  await page.reload()
  await page.getByText('1 entry').waitFor()
  await entries.getByText('Reason: Checkout is down').waitFor()
  await entries.getByRole('link', { name: 'All with this credential' }).click()
  await page.getByRole('combobox', { name: 'Signed in with' }).waitFor()
})

test('an editor reads why the log of the workspace is not for them', async (context) => {
  const { page } = await windowOf(context, 'edda')
  await page.goto(`${server.url}/workspace/audit`)
  await page.getByText('The audit log of the workspace is for its admins').waitFor()
})
