import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, type TestContext, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const flags = (slug: string, rest = '') => `/api/environments/${server.environments[slug]}/flags${rest}`
const settings = (tab: string) => `${server.url}/projects/${server.project_id}/settings?tab=${tab}`
const workspace = (tab: string) => `${server.url}/workspace?tab=${tab}`
const log = () => `${server.url}/workspace/audit`

beforeAll(async () => {
  await server.addPerson('otto', 'editor')
  for (const key of ['one', 'two']) await server.call('POST', flags('staging'), { key, is_enabled: false })
  // One of them reports, so that the other one counts as not evaluated.
  for (const key of ['forgotten', 'launched'])
    await server.call('POST', flags('production'), { key, is_enabled: true, rollout_percentage: 50 })
  await server.call('POST', `/api/environments/${server.environments.production}/impressions`, [
    { flag_key: 'launched', user_id: 'u1', value: 'true', evaluated_at: new Date().toISOString() },
  ])
  const longAgo = '2025-01-01T00:00:00Z'
  await server.runSql('update flags set created_at = $1, updated_at = $1', [longAgo])
})

/** A window whose clock stands still: nothing that it has read becomes stale by its age. */
async function visitInStillTime(context: TestContext): Promise<Page> {
  const { page } = await visit(context, server)
  await page.clock.setFixedTime(new Date())
  return page
}

/** Goes to another page of the dashboard as a link does, without loading it. */
async function follow(page: Page, url: string, heading: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, '', to), url)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

const entriesOf = (page: Page) => page.getByRole('list', { name: 'Entries' }).locator('> li')

/** Reads the log, does something on another page, and comes back to a log that has more entries. */
async function expectAudited(
  context: TestContext,
  place: { readonly url: string; readonly heading: string },
  act: (page: Page) => Promise<void>,
): Promise<Page> {
  const page = await visitInStillTime(context)
  await page.goto(log())
  await entriesOf(page).first().waitFor()
  const before = await entriesOf(page).count()
  await follow(page, place.url, place.heading)
  await act(page)
  await follow(page, log(), 'Audit log of the workspace')
  await expect.poll(() => entriesOf(page).count()).toBeGreaterThan(before)
  return page
}

/** The requests of the API from now on, without the stream. */
function watchRequests(page: Page) {
  const sent: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) sent.push(request)
  })
  return {
    forget: () => sent.splice(0),
    paths: (method = 'GET') =>
      sent.filter((each) => each.method() === method).map((each) => new URL(each.url()).pathname),
  }
}

test('switching approval off has the same read again as switching it on', async (context) => {
  const page = await visitInStillTime(context)
  const requests = watchRequests(page)
  const places = [
    [log(), 'Audit log of the workspace', '/api/audit'],
    [`${server.url}/change-requests`, 'Change requests of all projects', '/api/change-requests'],
    [
      server.page('staging', 'scheduled-changes'),
      'Scheduled changes',
      `/api/environments/${server.environments.staging}/scheduled-changes`,
    ],
    [server.page('staging', 'flags'), 'Flags', flags('staging')],
  ] as const
  const visitAll = async () => {
    for (const [url, heading] of places) await follow(page, url, heading)
  }
  const isRead = () => places.map(([, , path]) => requests.paths().includes(path))
  const toggle = page.getByRole('switch', { name: 'Require approval in Staging' })
  await page.goto(settings('environments'))
  await visitAll()
  await expect.poll(isRead).toEqual([true, true, true, true])

  for (const button of ['Require approval', 'Switch approval off']) {
    await follow(page, settings('environments'), 'Project settings')
    const before = await toggle.isChecked()
    await toggle.click()
    await page.getByRole('dialog').getByRole('button', { name: button }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await toggle.isChecked()).toBe(!before)
    requests.forget()
    await visitAll()
    await expect.poll(isRead).toEqual([true, true, true, true])
  }
})

test('archiving from the stale flags has the history and the log read again', async (context) => {
  const page = await visitInStillTime(context)
  const history = `${server.page('production', 'flags/forgotten')}?tab=history`
  const changes = page.getByRole('list', { name: 'Changes, newest first' }).locator('> li')
  await page.goto(log())
  await entriesOf(page).first().waitFor()
  const entries = await entriesOf(page).count()
  await follow(page, history, 'forgotten')
  await changes.first().waitFor()
  const before = await changes.count()

  await follow(page, `${server.url}/projects/${server.project_id}/stale`, 'Stale flags')
  await page.getByRole('button', { name: 'Archive 1', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive 1 flag' }).click()
  await page.getByText('Archived 1 flag.').waitFor()

  await follow(page, history, 'forgotten')
  await expect.poll(() => changes.count()).toBeGreaterThan(before)
  await follow(page, log(), 'Audit log of the workspace')
  await expect.poll(() => entriesOf(page).count()).toBeGreaterThan(entries)
})

test('renaming a project in its settings has the log read again', async (context) => {
  const place = { url: settings('general'), heading: 'Project settings' }
  const page = await expectAudited(context, place, async (here) => {
    await here.getByLabel('Project name').fill('Shop of Ada')
    await here.getByRole('button', { name: 'Rename project' }).click()
    await here.getByText('The project is renamed.').waitFor()
  })
  await follow(page, settings('general'), 'Project settings')
  await page.getByText('Shop of Ada').first().waitFor()
})

test('changing an environment has the log read again', async (context) => {
  const place = { url: settings('environments'), heading: 'Project settings' }
  await expectAudited(context, place, async (page) => {
    await page.getByRole('button', { name: 'Actions for Development' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Workshop')
    await page.getByRole('button', { name: 'Save environment' }).click()
    await page.getByText('The environment is saved.').waitFor()
  })
})

test('changing a user has the log and the members of projects read again', async (context) => {
  const page = await visitInStillTime(context)
  await page.goto(settings('members'))
  await page.getByText('otto@example.com').waitFor()
  await follow(page, log(), 'Audit log of the workspace')
  await entriesOf(page).first().waitFor()
  const before = await entriesOf(page).count()

  await follow(page, workspace('users'), 'Workspace and users')
  await page.getByRole('button', { name: 'Actions for otto' }).click()
  await page.getByRole('menuitem', { name: 'Edit or set password' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Otto Lilienthal')
  await page.getByRole('button', { name: 'Save user' }).click()
  await page.getByText('The user is saved.').waitFor()

  await follow(page, log(), 'Audit log of the workspace')
  await expect.poll(() => entriesOf(page).count()).toBeGreaterThan(before)
  await follow(page, settings('members'), 'Project settings')
  await page.getByText('Otto Lilienthal').first().waitFor()
})

test('changing the workspace has the log read again', async (context) => {
  const place = { url: workspace('general'), heading: 'Workspace and users' }
  await expectAudited(context, place, async (page) => {
    await page.getByLabel('Workspace name').fill('Workspace of Ada')
    await page.getByRole('button', { name: 'Rename workspace' }).click()
    await page.getByText('The workspace is renamed.').waitFor()
  })
})

test('a bulk change has the log read again', async (context) => {
  const place = { url: server.page('staging', 'flags'), heading: 'Flags' }
  await expectAudited(context, place, async (page) => {
    await page.getByLabel('Select all 2 flags that are listed').click()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Turned on 2 flags').waitFor()
  })
})

/** Each of them may be read once for a switch: what the list of flags and its frame show. */
const READS_OF_A_SWITCH_MAX = 4

test('a switch in the list is one write and few reads, and no read of the flags', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const toggle = page.getByRole('switch', { name: /\bone\b/ })
  await toggle.waitFor()
  const requests = watchRequests(page)
  const switches = 4
  for (let n = 0; n < switches; n += 1) {
    const before = await toggle.isChecked()
    const written = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await toggle.press('Space')
    await written
    await expect.poll(() => toggle.isChecked()).toBe(!before)
  }
  // The page responds again only after the reads of the last switch were sent.
  await follow(page, settings('general'), 'Project settings')

  const reads = requests.paths().filter((path) => path.includes(String(server.environments.staging)))
  expect(reads).not.toContain(flags('staging'))
  expect(requests.paths('PATCH')).toHaveLength(switches)
  if (process.env.BURGEE_TEST_COUNTS) process.stderr.write(`COUNTS ${JSON.stringify(requests.paths())}\n`)
  expect(new Set(reads).size).toBeLessThanOrEqual(READS_OF_A_SWITCH_MAX)
  for (const path of reads)
    expect(reads.filter((each) => each === path).length, path).toBeLessThanOrEqual(switches)
})
