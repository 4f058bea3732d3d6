import { expect, test } from 'vitest'
import { bearer, callApi } from '../harness/call-api.ts'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { expectGone, revealSecret, storeAndClose } from './harness/shown-secrets.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()

const settings = (tab: string) => `${server.url}/projects/${server.project_id}/settings?tab=${tab}`

test('an environment is created with the slug that its name suggests, and every change there can need approval', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(settings('environments'))

  await page.getByRole('button', { name: 'Create environment' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Load test (EU)')
  expect(await form.getByLabel('Slug').inputValue()).toBe('load-test-eu')
  await form.getByRole('radio', { name: 'Teal' }).check({ force: true })
  await form.getByRole('button', { name: 'Create environment' }).click()
  await page.getByRole('list', { name: 'Environments' }).getByText('load-test-eu').waitFor()
  await page.getByRole('switch', { name: 'Require approval in Load test (EU)' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Require approval' }).click()

  await page.getByRole('button', { name: 'Load test (EU): Every change' }).waitFor()
  const environments = await server.call('GET', `/api/projects/${server.project_id}/environments`)
  expect(environments.find(({ slug }: { slug: string }) => slug === 'load-test-eu')).toMatchObject({
    color: '#14b8a6',
    require_approval: true,
    approval_scope: 'all',
  })
})

test('an admin chooses what is kept of seen users, and sees an example of it', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(settings('environments'))
  await page.getByRole('button', { name: 'Actions for Staging' }).click()
  await page.getByRole('menuitem', { name: 'Seen users' }).click()

  const dialog = page.getByRole('dialog', { name: 'Seen users of Staging' })
  const example = dialog.getByLabel('Example of a stored user', { exact: true })
  expect(await dialog.getByRole('radio', { name: 'Their keys', exact: true }).isChecked()).toBe(true)
  expect(await example.textContent()).not.toContain('attributes')
  await dialog.getByRole('radio', { name: /the attributes that rules name/ }).check()
  expect(await example.textContent()).toContain('"email": "ann@example.com"')
  await dialog.getByLabel('Attributes that are never kept').fill('email')
  await dialog.getByLabel('Attributes that are never kept').press('Enter')
  await expect.poll(() => example.textContent()).not.toContain('email')
  expect(await example.textContent()).toContain('"plan": "pro"')
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/seen-users.png` })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('What Staging keeps of its users is saved.').waitFor()

  const environments = await server.call('GET', `/api/projects/${server.project_id}/environments`)
  expect(environments.find(({ slug }: { slug: string }) => slug === 'staging')).toMatchObject({
    seen_users: 'attributes',
    private_attributes: ['email'],
  })
})

test('a taken slug is refused at its field, and the default environment states why it cannot be deleted', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(settings('environments'))

  await page.getByRole('button', { name: 'Create environment' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Staging')
  await page.getByRole('dialog').getByRole('button', { name: 'Create environment' }).click()
  await page.getByText('Another environment of this project has this slug.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for Development' }).click()

  const item = page.getByRole('menuitem', { name: 'Delete' })
  expect(await item.textContent()).toContain('Make another one the default first.')
  expect(await item.getAttribute('aria-disabled')).toBe('true')
})

test('deleting an environment asks to type its slug', async (context) => {
  const { page } = await visit(context, server)
  await server.call('POST', `/api/projects/${server.project_id}/environments`, {
    name: 'Old',
    slug: 'old-one',
  })
  await page.goto(settings('environments'))

  await page.getByRole('button', { name: 'Actions for Old' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const button = page.getByRole('button', { name: 'Delete environment' })
  expect(await button.isDisabled()).toBe(true)
  await page.getByLabel('Type old-one to confirm').fill('old-one')
  await button.click()

  await page.getByText('The environment is deleted.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const list = page.getByRole('list', { name: 'Environments' })
  expect(await list.getByText('old-one', { exact: true }).count()).toBe(0)
})

test('a key is a reader unless another kind is chosen, and revoking one offers the keys that were created with it', async (context) => {
  const { page } = await visit(context, server)
  const path = `/api/projects/${server.project_id}/keys`
  const environment_id = server.environments.development
  const root = await server.call('POST', path, { name: 'Deploy script', environment_id })
  const body = { name: 'Unknown key', environment_id }
  const { body: child } = await callApi(server.url, 'POST', path, body, bearer(root.key))
  await page.goto(settings('keys'))

  await page.getByRole('button', { name: 'Create SDK key' }).click()
  expect(await page.getByRole('dialog').getByRole('radio', { name: 'Reader' }).isChecked()).toBe(true)
  await page.keyboard.press('Escape')

  const list = page.getByRole('list', { name: 'SDK keys of Development' })
  await list.getByText('Created with the key Deploy script').waitFor()
  await list.getByRole('button', { name: 'Revoke Deploy script' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Also revoke the key that was created with it').isChecked()).toBe(true)
  await dialog
    .getByRole('list', { name: 'Keys that were created with it' })
    .getByText('Unknown key')
    .waitFor()
  await dialog.getByRole('button', { name: 'Revoke SDK key' }).click()
  await page.getByText('The keys are revoked.').waitFor()
  for (const { key } of [root, child]) {
    expect((await callApi(server.url, 'GET', '/flags/snapshot', undefined, bearer(key))).status).toBe(401)
  }
})

test('an environment, or the whole workspace, can keep SDK keys from managing', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(settings('environments'))
  const environmentSwitch = page.getByRole('switch', { name: 'SDK keys may manage this environment' })

  await page.getByRole('button', { name: 'Actions for Development' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  expect(await environmentSwitch.isChecked()).toBe(true)
  await environmentSwitch.click()
  await page.getByRole('button', { name: 'Save environment' }).click()
  await page.getByText('The environment is saved.').waitFor()
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: 'Actions for Development' }) })
  await row.getByText('Keys may not manage').waitFor()
  const environments = await server.call('GET', `/api/projects/${server.project_id}/environments`)
  expect(environments.find(({ slug }: { slug: string }) => slug === 'development')).toMatchObject({
    keys_may_manage: false,
  })

  await page.goto(`${server.url}/workspace?tab=general`)
  const workspaceSwitch = page.getByRole('switch', { name: 'SDK keys may manage environments' })
  await workspaceSwitch.click()
  await page.getByText('SDK keys may not manage any environment now.').waitFor()
  expect(await server.call('GET', '/api/workspace')).toMatchObject({ keys_may_manage: false })
  await workspaceSwitch.click()
  await page.getByText('The setting of each environment applies now.').waitFor()
})

test('a key whose response comes when the form is closed already is shown all the same', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(settings('keys'))
  let reply = () => {}
  const isHeld = new Promise<void>((resolve) => {
    reply = resolve
  })
  await page.route('**/keys', async (route) => {
    if (route.request().method() === 'POST') await isHeld
    await route.continue()
  })

  await page.getByRole('button', { name: 'Create SDK key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Slow')
  await dialog.getByRole('combobox', { name: 'Environment' }).click()
  await page.getByRole('option', { name: 'Development' }).click()
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Create SDK key' }).click()
  await sent
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  reply()

  await revealSecret(page, /^sk_live_[\w-]/)
  await storeAndClose(page)
  await page.getByRole('button', { name: 'Create SDK key' }).click()
  await dialog.getByLabel('Name').waitFor()
})

test('leaving a project leads to the list of projects', async (context) => {
  const admin = await server.addPerson('margaret', 'admin')
  const { page } = await visit(context, server, { as: admin })
  await page.goto(settings('members'))

  await page.getByRole('button', { name: 'Remove margaret' }).click()
  await page.getByRole('button', { name: 'Leave project' }).click()

  await page.getByText('You have left the project.').waitFor()
  await page.waitForURL(`${server.url}/projects`)
})

test('a person who is added as a member sees the project with that role; a viewer sees settings and can change none', async (context) => {
  const { page } = await visit(context, server)
  const viewer = await server.addPerson('linus', null)
  await page.goto(settings('members'))

  await page.getByRole('button', { name: 'Add member' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Person' }).fill('linus@')
  await page.getByRole('option', { name: 'linus' }).click()
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('combobox', { name: 'Role of linus' }).waitFor()

  const { page: theirs } = await visit(context, server, { as: viewer })
  await theirs.goto(settings('members'))
  await theirs.getByText('You', { exact: true }).waitFor()
  expect(await theirs.getByRole('combobox', { name: 'Role of linus' }).isDisabled()).toBe(true)
  await theirs.getByRole('tab', { name: 'Environments' }).click()
  await theirs.getByRole('switch', { name: 'Require approval in Staging' }).waitFor()
  expect(await theirs.getByRole('button', { name: 'Create environment' }).isDisabled()).toBe(true)
  await theirs.getByLabel('This needs the role admin in the project').first().waitFor()
  await theirs.getByRole('tab', { name: 'General' }).click()
  expect(await theirs.getByRole('button', { name: 'Delete project' }).isDisabled()).toBe(true)
})

test('a common password is refused at its field', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/workspace`)
  await page.getByRole('button', { name: 'Create user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mallory')
  await dialog.getByLabel('E-mail').fill('mallory@example.com')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('password1')
  await dialog.getByRole('button', { name: 'Create user' }).click()

  await dialog.getByText('is one of the most common passwords').waitFor()
})

test('an admin sees who is locked out, and unlocks them', async (context) => {
  const person = await server.addPerson('locked-out', 'viewer')
  const logIn = (password: string) =>
    callApi(server.url, 'POST', '/api/auth/login', { email: person.email, password }, {})
  for (let count = 0; count < 5; count += 1) await logIn('a wrong guess')
  expect((await logIn(person.password)).status).toBe(429)
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/workspace`)

  const row = page.getByRole('listitem').filter({ hasText: person.email })
  await row.getByText(/^Locked until /).waitFor()
  await expectAccessible(page)
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Unlock' }).click()

  await row.getByText(/^Locked until /).waitFor({ state: 'hidden' })
  expect((await logIn(person.password)).status).toBe(200)
})

test('a personal token is created once and works as a bearer; a wrong current password is stated at its field', async (context) => {
  const person = await server.addPerson('ada-2', 'editor')
  const { page } = await visit(context, server, { as: person })
  await page.goto(`${server.url}/account`)

  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByLabel('Name').fill('Release script')
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
  const token = await revealSecret(page, /^pat_[\w-]/)
  await storeAndClose(page)
  await page.getByRole('list', { name: 'Tokens' }).getByText('Expires in 90 days').waitFor()
  await expectGone(page, token)
  const me = await callApi(server.url, 'GET', '/api/auth/me', undefined, bearer(token))
  expect(me.body.email).toBe(person.email)

  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('a longer horse battery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('This is not your current password.').waitFor()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password is changed.').waitFor()
})

test('what is stored and exceeds a bound is listed for admins below the environments', async (context) => {
  const { page } = await visit(context, server)
  const listed = page.getByRole('list', { name: 'Beyond a bound' })
  const environments = page.getByRole('list', { name: 'Environments' })
  await page.goto(settings('environments'))
  await Promise.all([
    environments.getByText('Production').first().waitFor(),
    page.waitForResponse((response) => response.url().endsWith('/exceeded-bounds')),
  ])
  expect(await page.getByText('Beyond a bound').count()).toBe(0)

  const values = Array.from({ length: 400 }, (_, at) => `value-${at}`.padEnd(8 + (at % 40), 'x'))
  const flag = {
    key: 'costly',
    is_enabled: true,
    rules: [{ attribute: 'groups', operator: 'contains', values }],
  }
  await server.call('POST', `/api/environments/${server.environments.production}/flags`, flag)
  await server.call('POST', `/api/environments/${server.environments.production}/segments`, {
    key: 'hidden',
    name: 'Hidden',
  })
  await server.runSql("update segments set name = $1 where key = 'hidden'", ['deploy\u202etoor'])
  await page.reload()
  await listed.getByText('Segment hidden').waitFor()
  await listed.getByText('must not have invisible characters').waitFor()
  await listed.scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await takePictures(page, 'exceeded-bounds')

  await page.route('**/exceeded-bounds*', (route) => route.fulfill({ status: 503, json: { error: 'Busy.' } }))
  await page.reload()
  await page.getByText('What exceeds a bound could not be loaded').waitFor()
  await page.unroute('**/exceeded-bounds*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await listed.getByRole('link', { name: 'costly' }).click()
  await page.waitForURL(/\/flags\/costly/)
})
