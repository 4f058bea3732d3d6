import { beforeAll, expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

beforeAll(async () => {
  const flags = `/api/environments/${server.environments.staging}/flags`
  await server.call('POST', flags, { key: 'fast-checkout', is_enabled: true })
})

test('an admin creates a service account with a token, gives it a role, and disables it', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/workspace?tab=service-accounts`)
  await page.getByText('No service accounts yet').waitFor()

  await page.getByRole('button', { name: 'Create service account' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create service account' })
  await form.getByRole('textbox', { name: 'Name' }).fill('deploy@example.com')
  await form.getByRole('button', { name: 'Create service account' }).click()
  await form.getByText('Use words with single spaces, without @.').waitFor()
  await form.getByRole('textbox', { name: 'Name' }).fill('Deploy pipeline')
  await form.getByRole('button', { name: 'Create service account' }).click()

  const tokens = page.getByRole('dialog', { name: 'Tokens of Deploy pipeline' })
  await tokens.getByText('No tokens yet.').waitFor()
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const creation = page.getByRole('dialog', { name: 'Create token' })
  await creation.getByRole('textbox', { name: 'Name' }).fill('Nightly')
  await creation.getByRole('radio', { name: /^Read and write/ }).check()
  await creation.getByRole('button', { name: 'Create token' }).click()
  const secret = page.getByRole('dialog', { name: 'Store the token now' })
  await secret.getByRole('button', { name: 'Show the secret' }).click()
  const token = await secret.getByText(/^pat_[\w-]/).textContent()
  await secret.getByLabel('I have stored it').check()
  await secret.getByRole('button', { name: 'Done' }).click()
  await tokens.getByRole('list', { name: 'Tokens' }).getByText('Nightly').waitFor()
  await page.keyboard.press('Escape')
  await tokens.waitFor({ state: 'hidden' })

  await page.goto(`${server.url}/projects/${server.project_id}/settings?tab=members`)
  await page.getByRole('button', { name: 'Add member' }).first().click()
  const adding = page.getByRole('dialog')
  await adding.getByRole('combobox', { name: 'Person' }).fill('deploy')
  await page.getByRole('option', { name: /Deploy pipeline/ }).click()
  await adding.getByRole('button', { name: 'Add member' }).click()
  await page.getByText('Service account', { exact: true }).waitFor()

  const headers = { authorization: `Bearer ${token}` }
  const me = () => fetch(`${server.url}/api/auth/me`, { headers })
  expect((await me()).status).toBe(200)
  const members = `/api/projects/${server.project_id}/members`
  const [added] = (await server.call('GET', members)).filter(
    ({ name }: { name: string }) => name === 'Deploy pipeline',
  )
  await server.call('PATCH', `${members}/${added.user_id}`, { role: 'editor' })
  const scheduled = `/api/environments/${server.environments.staging}/scheduled-changes`
  const flag = `/api/environments/${server.environments.staging}/flags/fast-checkout`
  const scheduling = await fetch(`${server.url}${flag}/scheduled-changes`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      patch: { is_enabled: false },
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  })
  expect(scheduling.status).toBe(200)

  await page.goto(`${server.url}/workspace?tab=service-accounts`)
  await page.getByRole('button', { name: 'Actions for Deploy pipeline' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  const disabling = page.getByRole('dialog', { name: 'Disable Deploy pipeline?' })
  await disabling.getByRole('radio', { name: 'Cancel them' }).check()
  await disabling.getByRole('button', { name: 'Disable service account' }).click()
  await page.getByText('Deploy pipeline is disabled. 1 scheduled change is canceled.').waitFor()
  await page.getByText('Disabled', { exact: true }).waitFor()
  expect((await me()).status).toBe(401)
  expect(await server.call('GET', scheduled)).toEqual([])
})
