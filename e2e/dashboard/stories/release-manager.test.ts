import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Person, serveDashboard } from '../harness/open-dashboard.ts'
import { openStory } from '../harness/open-story.ts'

const server = serveDashboard()
const windowOf = openStory(server)
let editor: Person

const path = (slug: string, rest = '') => `/api/environments/${server.environments[slug]}/${rest}`
const checkout = (slug = 'production') => server.call('GET', path(slug, 'flags/checkout'))
const NOTHING_YET = 'Nothing changes until someone else has approved it.'

beforeAll(async () => {
  editor = await server.addPerson('edda', 'editor')
  const flag = { key: 'checkout', is_enabled: true }
  await server.call('POST', path('production', 'flags'), { ...flag, rollout_percentage: 10 })
  await server.call('POST', path('staging', 'flags'), { ...flag, rollout_percentage: 60 })
})

/** Sets in the settings what waits for approval in Production. */
async function requireApproval(page: Page, opener: 'switch' | 'button', scope: string): Promise<void> {
  await page.goto(`${server.url}/projects/${server.project_id}/settings?tab=environments`)
  const name =
    opener === 'switch' ? 'Require approval in Production' : /^What waits for approval in Production/
  await page.getByRole(opener, { name }).click()
  const dialog = page.getByRole('dialog', { name: 'Require approval in Production' })
  await dialog.getByRole('radio', { name: scope }).check()
  await dialog.getByRole('button', { name: opener === 'switch' ? 'Require approval' : 'Save' }).click()
}

/** Asks in the page of the flag for another rollout in Production. */
async function askForRollout(page: Page, percent: string): Promise<void> {
  await page.goto(server.page('production', 'flags/checkout'))
  await page.getByLabel('Rollout percentage', { exact: true }).fill(percent)
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('Waiting for approval').waitFor()
}

async function openRequest(page: Page, name: RegExp): Promise<void> {
  await page.goto(server.page('production', 'change-requests'))
  await page.getByRole('link', { name }).click()
}

test('the manager requires approval of edits, and an editor asks for one', async (context) => {
  const { page } = await windowOf(context, 'manager')
  await requireApproval(page, 'switch', 'Edits only')
  await page.getByText('Edits now need approval.').waitFor()

  const edda = await windowOf(context, 'editor', { as: editor })
  await askForRollout(edda.page, '50')

  expect(await checkout()).toMatchObject({ rollout_percentage: 10 })
})

test('the editor cannot approve it alone; the manager does', async (context) => {
  const edda = await windowOf(context, 'editor')
  await openRequest(edda.page, /Change checkout.*rollout 10% → 50%/i)
  await edda.page.getByRole('group', { name: /You requested this change/ }).waitFor()
  expect(await edda.page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)

  const { page } = await windowOf(context, 'manager')
  await openRequest(page, /Change checkout/)
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Rollout 10% → 50%$/ })
    .waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved: checkout is changed').waitFor()

  await page.getByText(/Approved by/).waitFor()
  expect(await checkout()).toMatchObject({ rollout_percentage: 50 })
  await page.getByRole('button', { name: 'Undo' }).click()
  const restore = page.getByRole('dialog', { name: /^Restore revision/ })
  await restore.getByText(/Rollout 50% → 10%/).waitFor()
})

test('a rejection carries its reason to the editor, and the flag stays as it is', async (context) => {
  const edda = await windowOf(context, 'editor')
  await askForRollout(edda.page, '100')
  const { page } = await windowOf(context, 'manager')
  await openRequest(page, /Change checkout/)
  await page.getByRole('button', { name: 'Reject…' }).click()
  await page.getByLabel('Reason').fill('Not before the weekend')
  await page.getByRole('button', { name: 'Reject request' }).click()
  await page.getByText('is rejected; checkout stays as it is').waitFor()

  await edda.page.goto(`${server.page('production', 'change-requests')}?status=rejected`)
  await edda.page.getByRole('link', { name: /Change checkout/ }).click()
  await edda.page.getByText('Not before the weekend').waitFor()
  expect(await checkout()).toMatchObject({ rollout_percentage: 50 })
})

test('with approval of every change, deleting and promoting state that nothing happens yet', async (context) => {
  const { page } = await windowOf(context, 'manager')
  await requireApproval(page, 'button', 'Every change to an existing flag')
  await page.getByText('Every change now needs approval.').waitFor()
  const edda = await windowOf(context, 'editor')
  const opened = async () => {
    const requests: { operation: string }[] = await server.call(
      'GET',
      path('production', 'change-requests?status=pending'),
    )
    return requests.map(({ operation }) => operation)
  }

  await edda.page.goto(server.page('production', 'flags/checkout'))
  await edda.page.getByRole('button', { name: 'More actions for this flag' }).click()
  await edda.page.getByRole('menuitem', { name: 'Delete…' }).click()
  await edda.page.getByText(NOTHING_YET).waitFor()
  await edda.page.getByLabel('Type checkout to confirm').fill('checkout')
  await edda.page.getByRole('button', { name: 'Request approval' }).click()
  await expect.poll(opened).toEqual(['delete'])
  await edda.page.goto(server.page('staging', 'flags/checkout'))
  await edda.page.getByRole('button', { name: 'Promote' }).click()
  await edda.page.getByRole('radio', { name: 'Production' }).click()
  await edda.page.getByText(NOTHING_YET).waitFor()
  await edda.page.getByLabel('Type checkout to confirm').fill('checkout')
  await edda.page.getByRole('button', { name: 'Request approval' }).click()

  await expect.poll(opened).toEqual(['promote', 'delete'])
  expect(await checkout()).toMatchObject({ is_enabled: true, rollout_percentage: 50 })
})

test('a request is withdrawn while the manager looks at it, who sees that it was decided', async (context) => {
  const edda = await windowOf(context, 'editor')
  const send = (method: string, target: string, data?: object) =>
    edda.context.request.fetch(server.url + path('production', target), {
      method,
      headers: { 'x-flagservice-request': 'true' },
      ...(data && { data }),
    })
  const asked = await send('PATCH', 'flags/checkout', { rollout_percentage: 70 })
  const { id } = (await asked.json()) as { id: number }
  const { page } = await windowOf(context, 'manager')
  await page.goto(`${server.page('production', 'change-requests')}?id=${id}`)
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await approve.waitFor()
  // The stream would bring it before the click: here it comes too late.
  await page.route(
    '**/approve',
    async (route) => {
      await send('DELETE', `change-requests/${id}`)
      await route.continue()
    },
    { times: 1 },
  )

  await approve.click()

  await page.getByText(`Request ${id} was not decided`).waitFor()
  await page.getByText('The change request is cancelled already.').waitFor()
  await page.getByText('canceled', { exact: true }).waitFor()
  expect(await checkout()).toMatchObject({ rollout_percentage: 50 })
})

test('the promotion is approved, and Production has the flag of Staging', async (context) => {
  const { page } = await windowOf(context, 'manager')
  await openRequest(page, /Promote from Staging checkout/)
  await page
    .getByText(/Rollout 50% → 60%/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()

  await page.getByText(/^Approved: checkout/).waitFor()
  expect(await checkout()).toMatchObject({ rollout_percentage: 60 })
})

test('the revision before is restored by two people, after its difference was shown', async (context) => {
  const { page } = await windowOf(context, 'manager')
  await page.goto(`${server.page('production', 'flags/checkout')}?tab=history`)
  const entries = page.getByRole('list', { name: 'Changes, newest first' })
  await entries.getByText('Rollout 50% → 60%').waitFor()
  await page
    .getByRole('button', { name: /^Restore revision/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Rollout 60% → 50%').waitFor()
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await dialog.waitFor({ state: 'hidden' })

  const edda = await windowOf(context, 'editor')
  await openRequest(edda.page, /Restore checkout/)
  await edda.page.getByRole('button', { name: 'Approve' }).click()

  await edda.page.getByText(/^Approved: checkout/).waitFor()
  expect(await checkout()).toMatchObject({ rollout_percentage: 50 })
})

test('both edit Staging: the editor sees what the manager saved, and keeps both changes', async (context) => {
  const edda = await windowOf(context, 'editor')
  const { page } = await windowOf(context, 'manager')
  for (const window of [edda.page, page]) await window.goto(server.page('staging', 'flags/checkout'))
  const rollout = (window: Page) => window.getByLabel('Rollout percentage', { exact: true })
  const save = async (window: Page) => {
    await window.getByRole('button', { name: 'Review changes' }).click()
    await window.getByRole('dialog').getByRole('button', { name: 'Save to Staging' }).click()
  }
  await rollout(edda.page).fill('80')
  await rollout(page).fill('30')
  await page.getByRole('textbox', { name: 'Owner' }).fill('release@example.com')
  await save(page)

  const conflict = edda.page
    .getByRole('alert')
    .filter({ hasText: 'changed this flag while you were editing' })
  await conflict.getByText(/Rollout 60% → 30%/).waitFor()
  await conflict.getByText('You both changed the rollout.').waitFor()
  await conflict.getByRole('button', { name: 'Keep my changes' }).click()
  await conflict.waitFor({ state: 'hidden' })
  await save(edda.page)

  await expect
    .poll(() => checkout('staging'))
    .toMatchObject({ rollout_percentage: 80, owner_email: 'release@example.com' })
})
