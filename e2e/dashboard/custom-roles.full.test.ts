import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Person, serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

let rita: Person
let edith: Person

const flagIn = (slug: string) => `/api/environments/${server.environments[slug]}/flags/fast-checkout`

beforeAll(async () => {
  rita = await server.addPerson('rita', 'viewer')
  edith = await server.addPerson('edith', 'editor')
  await server.addPerson('petra', 'admin')
  for (const slug of ['production', 'staging']) {
    const flags = `/api/environments/${server.environments[slug]}/flags`
    await server.call('POST', flags, { key: 'fast-checkout', is_enabled: true })
  }
  const project = `/api/projects/${server.project_id}`
  const approval = `${project}/environments/${server.environments.staging}/require-approval`
  await server.call('POST', approval, { require_approval: true })
  await server.call('PATCH', flagIn('staging'), { is_enabled: false })
})

test('people with a role of the workspace, or with another one in Production, see exactly what they may do', async (context) => {
  const { page } = await visit(context, server)
  await createReleaseManager(page)
  await giveRoles(page)

  const { page: ritas } = await visit(context, server, { as: rita })
  await ritas.goto(server.page('staging', 'flags'))
  await expectNoSwitch(ritas, 'Your role Release manager in the project does not include “Change flags”.')
  await ritas.goto(server.page('staging', 'change-requests'))
  await ritas.getByRole('link', { name: /Change fast-checkout/ }).click()
  await ritas.getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => server.call('GET', flagIn('staging'))).toMatchObject({ is_enabled: false })

  const { page: ediths } = await visit(context, server, { as: edith })
  await ediths.goto(server.page('production', 'flags'))
  await expectNoSwitch(
    ediths,
    'in the environment; you are a viewer there. Missing permission: “Change flags”.',
  )
  await ediths.goto(server.page('staging', 'flags'))
  expect(await ediths.getByRole('switch').first().isEnabled()).toBe(true)
  await ediths.getByRole('button', { name: 'Your account' }).click()
  await ediths.getByRole('menuitem', { name: 'What may I do here?' }).click()
  await ediths.getByRole('heading', { name: 'Your role in the project: Editor' }).waitFor()
  await ediths.getByRole('heading', { name: 'In Production: Viewer' }).waitFor()
})

/** Begins with a copy of the viewer and adds the reviews. */
async function createReleaseManager(page: Page): Promise<void> {
  await page.goto(`${server.url}/workspace?tab=roles`)
  await page.getByRole('button', { name: 'Create role' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name' }).fill('Release manager')
  expect(await form.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('release-manager')
  await form.getByLabel('Approve and reject change requests').check()
  await form.getByRole('button', { name: 'Create role' }).click()
  const list = page.getByRole('list', { name: 'Roles' })
  await list.getByText('Release manager').waitFor()
  await list.getByRole('button', { name: 'Permissions of Release manager' }).click()
  const permitted = page.getByRole('group', { name: 'Permissions of Release manager' })
  await permitted.getByText('Approve and reject change requests').waitFor()
}

/** Rita becomes a release manager, and Edith a viewer in Production. The role is not deleted meanwhile. */
async function giveRoles(page: Page): Promise<void> {
  await page.goto(`${server.url}/projects/${server.project_id}/settings?tab=members`)
  await page.getByRole('combobox', { name: 'Role of rita' }).click()
  await page.getByRole('option', { name: 'Release manager' }).click()
  await page.getByText('The role is Release manager now.').waitFor()
  await page.getByRole('button', { name: 'Roles of edith in environments' }).click()
  await page.getByRole('combobox', { name: 'Production' }).click()
  await page.getByRole('option', { name: 'Viewer', exact: true }).click()
  await page.getByRole('button', { name: 'Save roles' }).click()
  await page.getByText('Viewer in Production').waitFor()

  await page.goto(`${server.url}/workspace?tab=roles`)
  await page.getByRole('button', { name: 'Actions for Release manager' }).click()
  await page.getByRole('menuitem', { name: /Delete 1 membership has it/ }).waitFor()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Compare environments').uncheck()
  await form.getByText('This concerns 1 membership at once').waitFor()
  await form.getByRole('list', { name: 'They lose' }).getByText('Compare environments').waitFor()
  await form.getByRole('button', { name: 'Save role' }).click()
  await page.getByText('The role is saved.').waitFor()
}

/** The switches are disabled for this reason, and the tooltip names who can give the permission. */
async function expectNoSwitch(page: Page, reason: string): Promise<void> {
  const control = page.getByRole('group', { name: reason }).first()
  await control.waitFor()
  await control.focus()
  await page.getByRole('tooltip', { name: 'petra can give it to you.' }).waitFor()
  expect(await page.getByRole('switch', { disabled: false }).count()).toBe(0)
}
