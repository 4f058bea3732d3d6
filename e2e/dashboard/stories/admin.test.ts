import { createHmac } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { bearer, callApi } from '../../harness/call-api.ts'
import { serveDashboard } from '../harness/open-dashboard.ts'
import { openStory } from '../harness/open-story.ts'
import { receivePosts } from '../harness/receive-posts.ts'
import { expectGone, revealSecret, storeAndClose } from '../harness/shown-secrets.ts'

const server = serveDashboard()
const windowOf = openStory(server)
/** Base64 may begin with a plus or a slash too. */
const WEBHOOK_SECRET = /whsec_[\w+/]/

const settings = (tab: string) => `${server.url}/projects/${server.project_id}/settings?tab=${tab}`

test('a user is created with a password to hand over, signs in with it, and becomes a member', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.goto(`${server.url}/workspace`)

  await page.getByRole('button', { name: 'Create user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Barbara')
  await dialog.getByLabel('E-mail').fill('barbara@example.com')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await dialog.getByRole('button', { name: 'Create user' }).click()
  const password = await revealSecret(page, /^\w{5}(-\w{5}){3}$/)
  await storeAndClose(page)
  await page.getByRole('list', { name: 'Users' }).getByText('barbara@example.com').waitFor()
  const mine = page.getByRole('list', { name: 'Users' }).getByRole('listitem').filter({ hasText: 'You' })
  await mine.getByRole('button').click()
  const item = page.getByRole('menuitem', { name: 'Delete' })
  expect(await item.textContent()).toContain('You cannot delete yourself.')

  await page.goto(settings('members'))
  await page.getByRole('button', { name: 'Add member' }).first().click()
  await dialog.getByRole('combobox', { name: 'Person' }).fill('barbara@')
  await page.getByRole('option', { name: 'Barbara' }).click()
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('combobox', { name: 'Role of Barbara' }).waitFor()
  const barbara = await windowOf(context, 'member', { as: { email: 'barbara@example.com', password } })
  await barbara.page.goto(server.page('staging', 'flags'))
  await barbara.page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
})

test('an SDK key is shown once and works; afterwards only its beginning is there, and revoking asks first', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.goto(settings('keys'))

  await page.getByRole('button', { name: 'Create SDK key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Shop front end')
  await dialog.getByRole('combobox', { name: 'Environment' }).click()
  await page.getByRole('option', { name: 'Staging' }).click()
  await dialog.getByRole('radio', { name: 'Client' }).check()
  await dialog.getByRole('button', { name: 'Create SDK key' }).click()
  const key = await revealSecret(page, /^sk_live_[\w-]/)
  const snapshot = await callApi(server.url, 'GET', '/flags/snapshot', undefined, bearer(key))
  expect(snapshot.headers.get('x-environment-id')).toBe(server.environments.staging)
  await page.keyboard.press('Escape')
  await storeAndClose(page)

  const list = page.getByRole('list', { name: 'SDK keys of Staging' })
  await list.getByText('Shop front end').waitFor()
  await expectGone(page, key)
  await page.reload()
  await list.getByText('sk_live_').waitFor()
  await expectGone(page, key)
  await list.getByRole('button', { name: 'Revoke Shop front end' }).click()
  await page.getByRole('button', { name: 'Revoke SDK key' }).click()
  await page.getByText('The key is revoked.').waitFor()
  const refused = await callApi(server.url, 'GET', '/flags/snapshot', undefined, bearer(key))
  expect(refused.status).toBe(401)
  const last = page
    .getByRole('list', { name: 'SDK keys of Production' })
    .getByRole('button', { name: 'Revoke Production' })
  expect(await last.isDisabled()).toBe(true)
  await page.getByLabel('This is the last key of the project. Create another one first.').waitFor()
})

test('a webhook with a generated secret is sent a signed event, which appears in its log and can be sent again', async (context) => {
  const { page } = await windowOf(context, 'admin')
  const receiver = await receivePosts()
  await page.goto(server.page('staging', 'webhooks'))

  await page.getByRole('button', { name: 'Create webhook' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Deploy bot')
  await form.getByLabel('URL', { exact: true }).fill(receiver.url)
  await form.getByLabel('Sign with a secret').check()
  await form.getByLabel('Secret', { exact: true }).fill('fifteen-letters')
  await form.getByText('Fewer than 16 characters can be guessed').waitFor()
  await form.getByRole('button', { name: 'Generate a secret' }).click()
  expect(await form.getByText('Fewer than 16 characters').count()).toBe(0)
  expect(await form.textContent()).not.toMatch(WEBHOOK_SECRET)
  await form.getByRole('button', { name: 'Show the secret' }).click()
  const secret = (await form.getByText(WEBHOOK_SECRET).textContent()) ?? ''
  await form.getByRole('button', { name: 'Create webhook' }).click()
  const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  await row.getByText('Signed', { exact: true }).waitFor()
  const flag = { key: 'new-checkout', is_enabled: true }
  await server.call('POST', `/api/environments/${server.environments.staging}/flags`, flag)
  await row.getByRole('button', { name: 'Deliveries of Deploy bot' }).click()

  const log = page.getByRole('list', { name: 'Deliveries' })
  await log.getByText('flag.created').waitFor()
  const [first] = receiver.posts
  expect(first?.headers['webhook-signature']).toBe(signatureOf(secret, first))
  await log.getByRole('button').first().click()
  await log.getByText('Responses of private addresses are not kept.').waitFor()
  receiver.respondWith(503, 'busy')
  await log.getByRole('button', { name: 'Redeliver' }).click()
  await log.getByText('503').first().waitFor()
  expect(receiver.posts[1]?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
})

test('everything that was done is exported as JSON lines', async (context) => {
  const { page } = await windowOf(context, 'admin')
  await page.goto(`${server.page('staging', 'audit')}?scope=project`)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const exported = await text(await (await downloading).createReadStream())

  const lines = exported
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const entries = await server.call('GET', `/api/projects/${server.project_id}/audit?limit=200`)
  const [last] = lines.slice(-1)
  expect(lines.slice(0, -1)).toMatchObject(entries)
  expect(last.heads).toContainEqual(
    expect.objectContaining({ seq: expect.any(Number), hash: expect.any(String) }),
  )
})

/** Returns the signature of a message according to Standard Webhooks. */
function signatureOf(
  secret: string,
  post: { readonly headers: Record<string, unknown>; readonly body: string } | undefined,
): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${post?.headers['webhook-id']}.${post?.headers['webhook-timestamp']}.${post?.body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
