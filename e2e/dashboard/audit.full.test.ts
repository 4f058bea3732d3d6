import { expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const api = (slug: string, path: string) => `/api/environments/${server.environments[slug]}/${path}`

test('the entry of a change shows what changed, and filters stay through a reload', async (context) => {
  await server.call('POST', api('staging', 'flags'), { key: 'watched', is_enabled: false })
  await server.call('PATCH', api('staging', 'flags/watched'), { is_enabled: true, rollout_percentage: 25 })
  await server.call('POST', api('staging', 'segments'), { name: 'Beta', key: 'beta' })
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'audit'))
  const entries = page.getByRole('list', { name: 'Entries' })
  await entries.getByText('created segment beta').waitFor()

  await page.getByLabel('Action').selectOption('update')
  await expect.poll(() => entries.getByRole('listitem').count()).toBe(1)
  await page.getByRole('combobox', { name: 'Flag' }).fill('watched')
  await expect.poll(() => new URL(page.url()).searchParams.get('flag_key')).toBe('watched')
  await page.reload()

  expect(await page.getByLabel('Action').inputValue()).toBe('update')
  expect(await page.getByRole('combobox', { name: 'Flag' }).inputValue()).toBe('watched')
  await entries.getByRole('button', { name: /changed watched/ }).click()
  await entries.getByText('Rollout 100% → 25%').first().waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await entries.getByText('created segment beta').waitFor()
})

test("someone who is no project admin reads the environment's log; what they may not use states why", async (context) => {
  const viewer = await server.addPerson('vic', 'viewer')
  const { page } = await visit(context, server, { as: viewer })
  await page.goto(`${server.page('staging', 'audit')}?flag_key=watched&action=create`)

  await page.getByText('changed watched').waitFor()
  expect(await page.getByLabel('Action').isDisabled()).toBe(true)
  // The page must not look as if it filtered for values that it does not filter for.
  expect(await page.getByLabel('Action').inputValue()).toBe('')
  expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true)
  await page
    .getByRole('group', { name: /This needs the role admin in the project/ })
    .first()
    .waitFor()
})

test('where older entries cannot be read, those that are there stay, and it can be tried again', async (context) => {
  const pageOfEntries = (offset: number) =>
    Array.from({ length: 50 }, (_, index) => ({
      id: 10_000 - offset - index,
      environment_id: server.environments.staging,
      flag_key: `flag-${offset + index}`,
      actor_email: 'ada@example.com',
      action: 'archive',
      before_data: {},
      after_data: {},
      metadata: null,
      created_at: new Date().toISOString(),
    }))
  const { page } = await visit(context, server)
  let isBroken = true
  await page.route('**/audit?*', (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor')
    if (cursor === null)
      return route.fulfill({ json: pageOfEntries(0), headers: { 'x-next-cursor': 'older' } })
    if (isBroken) return route.fulfill({ status: 422, json: { error: 'Not now' } })
    return route.fulfill({ json: pageOfEntries(50) })
  })
  await page.goto(server.page('staging', 'audit'))
  await page.getByRole('button', { name: 'Show older entries' }).click()

  await page.getByText('Older entries could not be loaded').waitFor()
  await page.getByText('flag-0', { exact: true }).waitFor()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('flag-99', { exact: true }).waitFor()
})

test('the log states how far it is verified, an entry has a link and a hash, and a changed entry is named', async (context) => {
  await server.call('POST', api('development', 'flags'), { key: 'proved', is_enabled: false })
  await server.call('PATCH', api('development', 'flags/proved'), { is_enabled: true })
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'audit'))
  await page.getByText(/^Verified to entry \d+,$/).waitFor()
  await page.getByRole('button', { name: 'Hashes' }).click()
  await page
    .getByRole('list', { name: 'Chains' })
    .getByText(/^[0-9a-f]{64}$/)
    .waitFor()

  const entries = page.getByRole('list', { name: 'Entries' })
  await entries.getByRole('button', { name: /changed proved/ }).click()
  await entries.getByText('Hash', { exact: true }).click()
  await entries.getByText(/^[0-9a-f]{64}$/).waitFor()
  await entries.getByRole('link', { name: 'Link to this entry' }).click()
  await page.getByRole('button', { name: 'Show all entries' }).waitFor()
  await expect.poll(() => entries.locator(':scope > li').count()).toBe(1)
  await entries.getByText('Action update').waitFor()

  // The trigger of the table refuses it, unless it is off.
  await server.runSql(
    `do $$ begin
      perform set_config('session_replication_role', 'replica', true);
      update audit_log set actor_email = 'eve@example.com' where flag_key = 'proved' and action = 'create';
    end $$`,
    [],
  )
  await page.getByRole('button', { name: 'Verify again' }).click()
  await page.getByText(/^Development: Entry \d+ is not what was written\./).waitFor()
  await page.getByRole('link', { name: 'Show the entry' }).click()
  await entries.getByText('eve@example.com').first().waitFor()
})
