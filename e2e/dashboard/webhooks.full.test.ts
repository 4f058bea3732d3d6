import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { receivePosts } from './harness/receive-posts.ts'

const server = serveDashboard()

test('a stored secret is never shown: it is kept, replaced or removed', async (context) => {
  const { page } = await visit(context, server)
  const receiver = await receivePosts()
  await server.call('POST', `/api/environments/${server.environments.development}/webhooks`, {
    name: 'Copy',
    url: receiver.url,
    secret: 'kept-between-us',
  })
  await page.goto(server.page('development', 'webhooks'))

  await page.getByRole('button', { name: 'Actions for Copy' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Remove the secret, and stop signing').check()
  expect(await page.content()).not.toContain('kept-between-us')
  await form.getByRole('button', { name: 'Save webhook' }).click()

  await page.getByText('Not signed').waitFor()
  await page.getByRole('button', { name: 'Actions for Copy' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('heading', { name: 'Notify your systems when a flag changes' }).waitFor()
})

test('an edit sends what was changed alone, and outlives a list that could not be read again', async (context) => {
  const { page } = await visit(context, server)
  const webhooks = `/api/environments/${server.environments.development}/webhooks`
  const { id } = await server.call('POST', webhooks, { name: 'Old name', url: 'http://127.0.0.1:9/' })
  await page.goto(server.page('development', 'webhooks'))
  await page.getByRole('button', { name: 'Actions for Old name' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('New name')

  // Its receiver responds with 410 meanwhile, which disables it.
  await server.call('PATCH', `${webhooks}/${id}`, { enabled: false })
  await page.route(`**${webhooks}`, (route) =>
    route.fulfill({ status: 500, json: { error: 'Out of order.' } }),
  )
  await form.getByRole('button', { name: 'Save webhook' }).click()

  await page.getByText('The webhooks could not be loaded').waitFor()
  await page.getByRole('button', { name: 'Deliveries of Old name' }).waitFor()
  expect(await server.call('GET', webhooks)).toMatchObject([{ name: 'New name', enabled: false }])
  await page.unroute(`**${webhooks}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Deliveries of New name' }).waitFor()
  await server.call('DELETE', `${webhooks}/${id}`)
})

test('an address that cannot be a receiver is refused at its field', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'webhooks'))

  await page.getByRole('button', { name: 'Create webhook' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Metadata')
  await form.getByLabel('URL', { exact: true }).fill('http://169.254.169.254/latest')
  await form.getByRole('button', { name: 'Create webhook' }).click()

  await form.getByText('Is a link-local').waitFor()
  expect(await form.getByLabel('URL', { exact: true }).getAttribute('aria-invalid')).toBe('true')
})

test("the test of a chat alert shows the receiver's status where it was asked for, and the address never again", async (context) => {
  const { page } = await visit(context, server)
  const receiver = await receivePosts()
  receiver.respondWith(404, 'no_such_channel')
  await page.goto(server.page('staging', 'integrations'))

  await page.getByRole('button', { name: 'Create alert' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Releases')
  await form.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await form.getByLabel('Only some').check()
  await form.getByLabel('A flag is deleted').uncheck()
  await form.getByRole('button', { name: 'Create alert' }).click()
  const row = page.getByRole('list', { name: 'Slack & Teams alerts' }).getByRole('listitem')
  await row.getByText('6 of 7 events').waitFor()
  await row.getByRole('button', { name: 'Test Releases' }).click()

  await row.getByText('The receiver responded with 404.').waitFor()
  // The receiver is on a loopback address: only its status is shown.
  expect(await page.content()).not.toContain('no_such_channel')
  expect(await page.content()).not.toContain(receiver.url)
  receiver.respondWith(200)
  await row.getByRole('button', { name: 'Test Releases' }).click()
  await row.getByText('The sample arrived.').waitFor()
  await row.getByRole('button', { name: 'Deliveries of Releases' }).click()
  await page.getByRole('list', { name: 'Deliveries' }).getByText('404').first().waitFor()
})

test('webhooks and chat alerts are for admins: an editor sees why', async (context) => {
  const editor = await server.addPerson('grace', 'editor')
  const { page } = await visit(context, server, { as: editor })

  await page.goto(server.page('staging', 'webhooks'))
  await page.getByRole('heading', { name: 'Webhooks are for admins' }).waitFor()
  expect(await page.getByRole('button', { name: 'Create webhook' }).isDisabled()).toBe(true)

  await page.goto(server.page('staging', 'integrations'))
  await page.getByRole('heading', { name: 'Slack & Teams alerts are for admins' }).waitFor()
  await page.getByText('you are an editor').first().waitFor()
})
