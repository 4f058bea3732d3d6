import { beforeEach, expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const MISSING = /Write a comment first: each change in Staging needs one/
const HOSTILE = '<img src=x onerror=alert(1)>\nsecond line'

const staging = () => server.environments.staging ?? ''
const settings = () => `/api/projects/${server.project_id}/environments/${staging()}`

beforeEach(async () => {
  await server.call('PATCH', settings(), { require_comment: false })
})

const requireComments = () => server.call('PATCH', settings(), { require_comment: true })

const commentsOf = async (key: string): Promise<(string | null)[]> => {
  const path = `/api/environments/${staging()}/flags/${key}/history`
  const history: { comment: string | null }[] = await server.call('GET', path)
  return history.map(({ comment }) => comment)
}

test('an admin requires comments; a switch and its undo then ask for one', async (context) => {
  await putStaged('switched')
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/projects/${server.project_id}/settings?tab=environments`)
  await page.getByRole('button', { name: 'Actions for Staging' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('switch', { name: 'Require a comment for every change' }).click({ force: true })
  await page.getByRole('button', { name: 'Save environment' }).click()
  await page.getByText('The environment is saved.').waitFor()

  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('switch', { name: 'switched is on' }).click({ force: true })
  const question = page.getByRole('dialog', { name: 'Turn on switched' })
  await question.getByRole('group', { name: MISSING }).waitFor()
  expect(await question.getByRole('button', { name: 'Turn on' }).isDisabled()).toBe(true)
  await question.getByRole('textbox', { name: 'Comment' }).fill('The launch')
  await question.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('switched is on', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Undo' }).click()
  const asked = page.getByRole('dialog', { name: 'This change needs a comment' })
  await asked.getByText('Comment is required in the environment Staging: give the reason.').waitFor()
  await asked.getByRole('textbox', { name: 'Comment' }).fill('Too early')
  await asked.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('switched is off', { exact: true }).waitFor()
  expect(await commentsOf('switched')).toEqual(['Too early', 'The launch', null])
})

test('a save carries its comment, and history and audit log show it as text', async (context) => {
  await putStaged('saved')
  await requireComments()
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/saved'))
  await page.getByRole('switch', { name: 'The flag is off' }).click({ force: true })
  await page.getByRole('button', { name: 'Review changes' }).click()
  const review = page.getByRole('dialog', { name: /Review changes/ })
  await review.getByRole('group', { name: MISSING }).waitFor()
  await review.getByRole('textbox', { name: 'Comment' }).fill(HOSTILE)
  await review.getByRole('button', { name: 'Save to Staging' }).click()
  await page.getByText('saved is saved').waitFor()

  await page.goto(`${server.page('staging', 'flags/saved')}?tab=history`)
  const shown = page.getByText('<img src=x onerror=alert(1)>')
  expect(await shown.first().innerText()).toBe(HOSTILE)
  await page.goto(server.page('staging', 'audit'))
  expect(await shown.first().innerText()).toBe(HOSTILE)
})

test('a comment that is not required may be left out', async (context) => {
  await putStaged('free')
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags/free'))
  await page.getByRole('switch', { name: 'The flag is off' }).click({ force: true })
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('button', { name: 'Save to Staging' }).click()
  await page.getByText('free is saved').waitFor()
  expect(await commentsOf('free')).toEqual([null, null])
})

test('bulk actions, new segments and new flags have a field for the comment, and wait for a required one', async (context) => {
  await putStaged('bulk-a')
  await putStaged('bulk-b')
  await requireComments()
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))
  await page.getByRole('checkbox', { name: 'Select bulk-a' }).click()
  await page.getByRole('checkbox', { name: 'Select bulk-b' }).click()
  const bar = page.getByRole('region', { name: 'Selected flags' })
  await bar.getByRole('button', { name: 'Turn on' }).click()
  await fillComment('Turn on 2 flags?', 'Both at once', 'Turn on 2 flags')
  await page.getByText('Turned on 2 flags').waitFor()
  expect(await commentsOf('bulk-b')).toEqual(['Both at once', null])

  await bar.getByRole('button', { name: 'Add tags' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Tags' }).fill('beta')
  await page.keyboard.press('Enter')
  await fillComment('Add tags to 2 flags', 'For the list', 'Add tags')
  await page.getByText('Added tags to 2 flags').waitFor()
  expect((await commentsOf('bulk-a'))[0]).toBe('For the list')

  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('dialog').getByLabel('Key').fill('reasoned')
  await fillComment('Create flag', 'The next launch', 'Create flag')
  await page.getByRole('heading', { level: 1, name: 'reasoned' }).waitFor()
  expect(await commentsOf('reasoned')).toEqual(['The next launch'])

  await page.goto(server.page('staging', 'segments'))
  await page.getByRole('button', { name: 'Create segment' }).first().click()
  await page.getByLabel('Name').fill('Testers')
  await fillComment('Create segment', 'For the beta', 'Create segment')
  await page.getByRole('heading', { name: 'Testers' }).waitFor()

  /** Fills the comment of a dialog that cannot be sent without one, and sends it. */
  async function fillComment(title: string, comment: string, action: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('group', { name: MISSING }).waitFor()
    expect(await dialog.getByRole('button', { name: action }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Comment' }).fill(comment)
    await dialog.getByRole('button', { name: action }).click()
  }
})

test('an approval carries its comment, and the history shows it', async (context) => {
  await putStaged('approved')
  const editor = await server.addPerson('cora', 'editor')
  const approval = { require_approval: true, approval_scope: 'all' }
  await server.call('POST', `${settings()}/require-approval`, approval)
  await requireComments()
  const cora = await visit(context, server, { as: editor })
  const asked = await cora.context.request.patch(
    `${server.url}/api/environments/${staging()}/flags/approved`,
    { headers: { 'x-flagservice-request': 'true' }, data: { is_enabled: true, comment: 'Please' } },
  )
  expect(asked.status()).toBe(202)

  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'change-requests'))
  await page.getByRole('link', { name: /Change approved/ }).click()
  await page.getByText('Please').waitFor()
  await page.getByRole('group', { name: MISSING }).first().waitFor()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Looks right')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved: approved is changed').waitFor()
  await page.goto(`${server.page('staging', 'flags/approved')}?tab=history`)
  await page.getByText('Looks right').waitFor()
})

async function putStaged(key: string): Promise<void> {
  await server.call('POST', `/api/environments/${staging()}/flags`, { key, is_enabled: false })
}
