import { expect, test } from 'vitest'
import { eventually } from '../../packages/server/test/harness/eventually.ts'
import { GROUP, PATCH, USER } from '../../packages/server/test/scim/provider.ts'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { expectGone, revealSecret, storeAndClose } from './harness/shown-secrets.ts'
import { takePictures } from './harness/take-pictures.ts'

// No OIDC here: SCIM does not need it.
const server = serveDashboard()

/** Sends a request of SCIM, as an identity provider does, and returns its status and body. */
async function send(token: string, method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: response.status === 204 ? null : await response.json() }
}

test('an admin starts SCIM without single sign-on, gives a group a role, replaces the token and stops it', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/workspace`)
  await page.getByRole('tab', { name: 'Single sign-on and SCIM' }).click()
  await page.getByRole('heading', { name: 'Single sign-on is off' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Roles of groups' }).count()).toBe(0)
  await expectAccessible(page)
  await takePictures(page, 'sso-off')

  await page.getByRole('button', { name: 'Create token' }).click()
  await takePictures(page, 'scim-token')
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
  const token = await revealSecret(page, /^scim_[\w-]/)
  await takePictures(page, 'scim-token-shown')
  await storeAndClose(page)
  await expectGone(page, token)
  const provisioning = page.getByRole('region', { name: 'Provisioning (SCIM)' })
  await provisioning.getByText(`${server.url}/scim/v2`, { exact: true }).waitFor()
  await provisioning.getByText('None yet').waitFor()
  await page.getByRole('heading', { name: 'No group has a role yet' }).waitFor()

  const person = await send(token, 'POST', '/Users', { schemas: [USER], userName: 'grace@example.com' })
  expect(person.status).toBe(201)
  const team = { schemas: [GROUP], displayName: 'shop-team', members: [{ value: person.body.id }] }
  expect((await send(token, 'POST', '/Groups', team)).status).toBe(201)

  await page.reload()
  await provisioning.getByText('1 account, 1 group').waitFor()
  expect(await provisioning.getByText('None yet').count()).toBe(0)
  const received = page.getByRole('list', { name: 'Groups received by SCIM' }).getByRole('listitem')
  await received.filter({ hasText: '1 member' }).filter({ hasText: 'No role' }).waitFor()
  await expectAccessible(page)
  await takePictures(page, 'scim-groups')

  await page.getByRole('button', { name: 'Give shop-team a role' }).click()
  const form = page.getByRole('dialog', { name: 'Add group' })
  expect(await form.getByRole('combobox', { name: 'Group' }).inputValue()).toBe('shop-team')
  await form.getByRole('combobox', { name: 'Where' }).click()
  await page.getByRole('option', { name: 'Workspace' }).click()
  await form.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Editor' }).click()
  await takePictures(page, 'scim-group-role')
  await form.getByRole('button', { name: 'Add group' }).click()
  await received.filter({ hasText: '1 role' }).waitFor()
  await page.getByRole('list', { name: 'Groups', exact: true }).getByText('shop-team').waitFor()
  const users: { email: string; role: string }[] = await server.call('GET', '/api/users')
  expect(users.find(({ email }) => email === 'grace@example.com')?.role).toBe('editor')

  const disabling = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] }
  expect((await send(token, 'PATCH', `/Users/${person.body.id}`, disabling)).status).toBe(200)
  await page.reload()
  await provisioning.getByText('1 account (1 disabled), 1 group').waitFor()
  await takePictures(page, 'scim-on')

  await provisioning.getByRole('button', { name: 'Replace token' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace token' }).click()
  const next = await revealSecret(page, /^scim_[\w-]/)
  await storeAndClose(page)
  await eventually(async () => (await send(token, 'GET', '/Users')).status === 401)
  await eventually(async () => (await send(next, 'GET', '/Users')).status === 200)

  await provisioning.getByRole('button', { name: 'Remove token' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove token' }).click()
  await page.getByRole('heading', { name: 'Provisioning is off' }).waitFor()
  await eventually(async () => (await send(next, 'GET', '/Users')).status === 404)
  await received.filter({ hasText: 'shop-team' }).waitFor()
})
