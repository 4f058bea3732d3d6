import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

const SAMPLES = new URL('../../packages/importers/test/samples/', import.meta.url)
const sample = (path: string) => fileURLToPath(new URL(path, SAMPLES))
const LAUNCHDARKLY = ['launchdarkly/rest-flags.json', 'launchdarkly/rest-segments.json'].map(sample)

const flagsOf = (slug: string) => server.call('GET', `/api/environments/${server.environments[slug]}/flags`)
const openImport = (page: Page, system = '') =>
  page.goto(`${server.url}/projects/${server.project_id}/import${system && `?system=${system}`}`)
const choose = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[type="file"]').setInputFiles(files)

test('flags of LaunchDarkly are imported into two environments after a preview', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))
  await page.getByRole('link', { name: 'Import flags from another service' }).click()
  await page.getByRole('radio', { name: 'LaunchDarkly' }).click()
  await choose(page, LAUNCHDARKLY)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Read the files' }).click()

  await page.getByLabel('Import test into').selectOption({ label: 'Staging' })
  expect(await page.getByLabel('Import production into').inputValue()).toBe(server.environments.production)
  await page.getByText('Every connected SDK of Production follows at once.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Preview the import' }).click()

  const list = page.getByRole('list', { name: 'Flags of the import' })
  await list.waitFor()
  expect(await list.getByRole('listitem').count()).toBe(9)
  await page.getByRole('img', { name: /^Flags for Production: / }).waitFor()
  await expectAccessible(page)
  expect([await flagsOf('production'), await flagsOf('staging')]).toEqual([[], []])

  const cells = list.getByRole('button', { name: /in Production: / })
  await cells.first().click()
  const panel = page.getByRole('dialog')
  await panel.getByText('What changes in Production').waitFor()
  await panel.getByText('Created', { exact: true }).waitFor()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Import into / })
  const confirm = dialog.getByRole('button', { name: 'Import', exact: true })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Type Production to confirm').fill('Production')
  await confirm.click()

  await page.getByRole('heading', { name: 'The flags are imported' }).waitFor()
  await expectAccessible(page)
  expect(await flagsOf('production')).toHaveLength(9)
  expect(await flagsOf('staging')).toHaveLength(9)
  await page.getByRole('link', { name: 'Open the flags' }).first().click()
  await page.waitForURL(/\/flags$/)
})

test('where changes need approval, the import opens change requests', async (context) => {
  const id = server.environments.development
  await server.call('POST', `/api/environments/${id}/flags`, { key: 'new-checkout', is_enabled: true })
  await server.call('POST', `/api/projects/${server.project_id}/environments/${id}/require-approval`, {
    require_approval: true,
    approval_scope: 'all',
  })
  const { page } = await visit(context, server)
  await openImport(page, 'flagd')
  const flag = (state: string) => ({ state, variants: { on: true, off: false }, defaultVariant: 'on' })
  const flags = { 'new-checkout': flag('DISABLED'), 'old-checkout': flag('ENABLED') }
  await choose(page, {
    name: 'flags.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ flags })),
  })
  await page.getByRole('button', { name: 'Read the files' }).click()
  const target = page.getByLabel('Import these files into')
  expect(await target.inputValue()).toBe('')
  await target.selectOption({ label: 'Development' })
  await page.getByText(/Development needs approval/).waitFor()
  await page.getByRole('button', { name: 'Preview the import' }).click()

  await page.getByRole('button', { name: /^new-checkout in Development: .*, waits for approval/ }).waitFor()
  await page.getByRole('button', { name: /^old-checkout in Development: .*, new/ }).waitFor()
  await page.getByLabel('Effect').selectOption({ label: 'New' })
  expect(await page.getByRole('list', { name: 'Flags of the import' }).getByRole('listitem').count()).toBe(1)
  await page.getByRole('button', { name: 'Import…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()

  await page.getByRole('link', { name: 'See 1 change request' }).click()
  await page.getByText('new-checkout').first().waitFor()
  const keys = await flagsOf('development')
  expect(keys.map(({ is_enabled, key }: { key: string; is_enabled: boolean }) => [key, is_enabled])).toEqual([
    ['new-checkout', true],
    ['old-checkout', true],
  ])
})

test('files that are too large, no text or of another service are refused with a reason', async (context) => {
  const { page } = await visit(context, server)
  await openImport(page, 'launchdarkly')
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/json', buffer })
  await choose(page, file('huge.json', Buffer.alloc(5 * 1024 * 1024, 'x')))
  await page.getByText('huge.json has 5 MiB, and one import takes at most 4 MiB.').waitFor()
  await choose(page, file('picture.json', Buffer.from([0xff, 0xfe, 0x00, 0x80])))
  await page.getByText('picture.json is no text.').waitFor()
  await choose(page, file('other.json', Buffer.from('{"some": "thing"}')))
  await page.getByRole('button', { name: 'Read the files' }).click()
  await page.getByText('There are no flags in these files.').waitFor()
})
