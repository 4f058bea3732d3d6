import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bearer, callApi } from '../harness/call-api.ts'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

interface Key {
  readonly id: number
  readonly key: string
}

const snapshotStatus = async ({ key }: Pick<Key, 'key'>) =>
  (await callApi(server.url, 'GET', '/flags/snapshot', undefined, bearer(key))).status

/** A project of its own, and its first key. */
async function createProject(name: string): Promise<{ keys: string; page: string; root: Key }> {
  const { id, sdk_key } = await server.call('POST', '/api/projects', { name })
  return {
    keys: `/api/projects/${id}/keys`,
    page: `${server.url}/projects/${id}/settings?tab=keys`,
    root: sdk_key,
  }
}

async function mint(path: string, parent: Key, name: string, environment_id: string): Promise<Key> {
  const { body } = await callApi(server.url, 'POST', path, { name, environment_id }, bearer(parent.key))
  return body
}

async function confirmRevocation(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type production to confirm').fill('production')
  await dialog.getByRole('button', { name: button }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('a tree that is all keys of the project cannot be revoked as a whole, and states what to do', async (context) => {
  const { page } = await visit(context, server)
  const project = await createProject('All one tree')
  const [{ environment_id, name }] = await server.call('GET', project.keys)
  const child = await mint(project.keys, project.root, 'Unknown key', environment_id)
  await page.goto(project.page)

  await page.getByRole('button', { name: `Revoke ${name}`, exact: true }).click()
  const choice = page.getByRole('dialog').getByLabel('Also revoke the key that was created with it')
  expect(await choice.isChecked()).toBe(false)
  expect(await choice.isDisabled()).toBe(true)
  await page.getByRole('dialog').getByText('To revoke them all, create another key first.').waitFor()
  await expectAccessible(page)
  await confirmRevocation(page, 'Revoke SDK key')
  expect([await snapshotStatus(project.root), await snapshotStatus(child)]).toEqual([401, 200])

  // The remaining key hangs from the revoked key, and is the project's last.
  await page.getByText('A key was created with a revoked key').waitFor()
  expect(await page.getByRole('button', { name: 'Revoke this key' }).isDisabled()).toBe(true)
})

test('keys that were created with a revoked key are revoked together', async (context) => {
  const { page } = await visit(context, server)
  const project = await createProject('After a leak')
  const [{ environment_id, id }] = await server.call('GET', project.keys)
  const first = await mint(project.keys, project.root, 'Unknown 1', environment_id)
  const second = await mint(project.keys, project.root, 'Unknown 2', environment_id)
  const third = await mint(project.keys, second, 'Unknown 3', environment_id)
  const own = await server.call('POST', project.keys, { name: 'Back end', environment_id, kind: 'reader' })
  await server.call('DELETE', `${project.keys}/${id}`)
  await page.goto(project.page)

  await page.getByText('3 keys were created with a revoked key').waitFor()
  const found = page.getByRole('list', { name: 'Keys that were created with a revoked key' })
  expect(await found.getByRole('listitem').count()).toBe(3)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revoke these 3 keys' }).click()
  await confirmRevocation(page, 'Revoke SDK keys')

  await page.getByText('The keys are revoked.').waitFor()
  expect(await Promise.all([first, second, third, own].map(snapshotStatus))).toEqual([401, 401, 401, 200])
  expect(await page.getByText('created with a revoked key').count()).toBe(0)
})

test('an environment states where the workspace overrules its own setting, to those who cannot read that', async (context) => {
  const admin = await server.addPerson('grace', 'admin')
  const { page } = await visit(context, server, { as: admin })
  await server.call('PATCH', '/api/workspace', { keys_may_manage: false })
  await page.goto(`${server.url}/projects/${server.project_id}/settings?tab=environments`)

  const list = page.getByRole('list', { name: 'Environments' })
  await list.getByText('Keys may not manage').first().waitFor()
  expect(await list.getByText('Keys may not manage').count()).toBe(3)
  await page.getByRole('button', { name: 'Actions for Staging' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('switch', { name: 'SDK keys may manage this environment' }).isChecked()).toBe(
    true,
  )
  await dialog.getByText('This has no effect now').waitFor()
  await expectAccessible(page)
})
