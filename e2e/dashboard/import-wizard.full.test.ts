import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, type TestContext, test } from 'vitest'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

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
  await takePictures(page, 'import-files')
  await page.getByRole('button', { name: 'Read the files' }).click()

  await page.getByLabel('Import test into').selectOption({ label: 'Staging' })
  expect(await page.getByLabel('Import production into').inputValue()).toBe(server.environments.production)
  await page.getByText('Every connected SDK of Production follows at once.').waitFor()
  await expectAccessible(page)
  await takePictures(page, 'import-places')
  await page.getByRole('button', { name: 'Preview the import' }).click()

  const list = page.getByRole('list', { name: 'Flags of the import' })
  await list.waitFor()
  expect(await list.getByRole('listitem').count()).toBe(9)
  await page.getByRole('img', { name: /^Flags for Production: / }).waitFor()
  await takePictures(page, 'import-preview')
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
  await takePictures(page, 'import-done')
  await expectAccessible(page)
  expect(await flagsOf('production')).toHaveLength(9)
  expect(await flagsOf('staging')).toHaveLength(9)
  await page.getByRole('link', { name: 'Open the flags' }).first().click()
  await page.waitForURL(/\/flags$/)
})

test('a page of a longer list is refused beside the commands that read all of it, and read on request', async (context) => {
  const { page } = await visit(context, server)
  await openImport(page, 'launchdarkly')
  await page.getByText('LD-API-Version: 20240415').first().waitFor()
  const state = { on: true, fallthrough: { variation: 0 }, offVariation: 1 }
  const variations = [{ value: true }, { value: false }]
  const items = [{ key: 'menu', kind: 'boolean', variations, environments: { production: state } }]
  await choose(page, {
    name: 'flags.json',
    mimeType: 'application/json',
    buffer: Buffer.from(`\uFEFF${JSON.stringify({ items, totalCount: 250 })}`, 'utf16le'),
  })
  await page.getByRole('button', { name: 'Read the files' }).click()
  const alert = page.getByRole('alert').filter({ hasText: '249 are missing' })
  await alert.getByText('or import a part').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Import a part').check()
  await page.getByRole('button', { name: 'Read the files' }).click()
  await page.getByLabel('Import production into').waitFor()
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

const onFlag = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }
const flagdFile = (keys: readonly string[]) => ({
  name: 'flags.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify({ flags: Object.fromEntries(keys.map((key) => [key, onFlag])) })),
})

/** Opens the review of flags of flagd for Staging. */
async function reviewForStaging(page: Page, keys: readonly string[]) {
  await openImport(page, 'flagd')
  await choose(page, flagdFile(keys))
  await page.getByRole('button', { name: 'Read the files' }).click()
  await page.getByLabel('Import these files into').selectOption({ label: 'Staging' })
  await page.getByRole('button', { name: 'Preview the import' }).click()
  await page.getByRole('list', { name: 'Flags of the import' }).waitFor()
}

async function confirmImport(page: Page) {
  await page.getByRole('button', { name: 'Import…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
}

test('more flags than one call takes are imported, without those that are left out', async (context) => {
  const { page } = await visit(context, server)
  const keys = Array.from({ length: 1_200 }, (_, index) => `many-${String(index).padStart(4, '0')}`)
  await reviewForStaging(page, keys)
  await page.getByText('Import: 1,200 new flags').waitFor()
  await page.getByRole('searchbox', { name: 'Search flags and reasons' }).fill('many-000')
  await page.getByRole('button', { name: 'Leave out 10 shown' }).click()
  await page.getByText('Import: 1,190 new flags').waitFor()
  await page.getByRole('button', { name: /^many-0003 in Staging: Not imported/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Include it again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await confirmImport(page)
  await page.getByRole('heading', { name: 'The flags are imported' }).waitFor()
  const imported: { key: string }[] = await flagsOf('staging')
  const many = imported.map(({ key }) => key).filter((key) => key.startsWith('many-'))
  expect(many).toHaveLength(1_191)
  expect(many.filter((key) => key.startsWith('many-000'))).toEqual(['many-0003'])
})

test('an import is refused when a flag has changed since the review, and a new preview goes on', async (context) => {
  const { page } = await visit(context, server)
  await reviewForStaging(page, ['raced'])
  const flags = `/api/environments/${server.environments.staging}/flags`
  await server.call('POST', flags, { key: 'raced', is_enabled: false, rollout_percentage: 10 })
  await confirmImport(page)
  await page.getByText('The import was refused').waitFor()
  await page.getByText(/Changed since the plan was made: flag "raced"/).waitFor()
  await page.getByRole('button', { name: 'Preview again' }).click()
  await page.getByRole('button', { name: /^raced in Staging: Exact, changed/ }).click()
  await page.getByRole('dialog').getByText('Switched on').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await confirmImport(page)
  await page.getByRole('heading', { name: 'The flags are imported' }).waitFor()
  expect(await server.call('GET', `${flags}/raced`)).toMatchObject({ is_enabled: true })
})

test('flags that the server refuses, and those that need them, are left out with the reason', async (context) => {
  const flags = `/api/environments/${server.environments.staging}/flags`
  await server.call('POST', flags, { key: 'managed', is_enabled: false, managed_by: 'checkout-team' })
  await server.call('POST', flags, {
    ...{ key: 'limited', is_enabled: true, flag_type: 'json', default_value: 'red', disabled_value: 'red' },
    value_schema: { enum: ['red', 'blue'] },
  })
  const flag = (key: string, prerequisites: readonly string[] = []) => ({
    ...{
      key,
      on: true,
      variations: [true, false],
      offVariation: 1,
      fallthrough: { variation: 0 },
      salt: 's',
    },
    prerequisites: prerequisites.map((needed) => ({ key: needed, variation: 0 })),
  })
  const listed = [
    { ...flag('limited'), variations: ['red', 'green'] },
    flag('after-limited', ['limited']),
    flag('managed'),
    flag('after-managed', ['managed']),
    flag('alone'),
  ]
  const data = { flags: Object.fromEntries(listed.map((one) => [one.key, one])) }
  const { page } = await visit(context, server)
  await openImport(page, 'launchdarkly')
  await choose(page, {
    name: 'data.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(data)),
  })
  await page.getByRole('button', { name: 'Read the files' }).click()
  await page.getByLabel('Import production into').selectOption({ label: 'Staging' })
  await page.getByRole('button', { name: 'Preview the import' }).click()
  const list = page.getByRole('list', { name: 'Flags of the import' })
  await list.waitFor()
  await list.getByText('It exists, and “checkout-team” manages it.').waitFor()
  await list.getByText('It needs managed, which is left out.').waitFor()
  await list.getByText('Value schema belongs to json flags; type is string.').waitFor()
  await list.getByText('It needs limited, which is left out.').waitFor()
  expect(await list.getByRole('button', { name: /left out/ }).count()).toBe(4)
  await confirmImport(page)
  await page.getByRole('heading', { name: 'The flags are imported' }).waitFor()
  expect(await server.call('GET', `${flags}/alone`)).toMatchObject({ is_enabled: true })
  expect(await server.call('GET', `${flags}/managed`)).toMatchObject({ is_enabled: false })
  expect(await server.call('GET', `${flags}/limited`)).toMatchObject({ disabled_value: 'red' })
})

/** The invariant that a flag is never on in Staging, until the test ends. */
async function keepOff(context: TestContext, key: string, flag: string) {
  const path = `/api/projects/${server.project_id}/invariants`
  const demand = { key, flag, never: [true], enforcement: 'block', environments: ['staging'] }
  await server.call('POST', path, demand)
  context.onTestFinished(async () => {
    await server.call('DELETE', `${path}/${key}`)
  })
}

async function overrideWith(page: Page, reason: string) {
  await page.getByRole('button', { name: 'Override…' }).click()
  await page.getByRole('textbox', { name: 'Why are the invariants overridden?' }).fill(reason)
}

const overridesOf = async (key: string) => {
  const [entry] = await server.call(
    'GET',
    `/api/environments/${server.environments.staging}/audit?flag_key=${key}&limit=1`,
  )
  return entry.metadata.override
}

test('a flag that violates an invariant is left out, unless a reason overrides it', async (context) => {
  await keepOff(context, 'kept-off', 'forbidden')
  const { page } = await visit(context, server)
  await reviewForStaging(page, ['forbidden', 'permitted'])
  await page.getByText(/It violates the invariant “kept-off”/).waitFor()
  await page.getByText('Import: 1 new flag', { exact: true }).waitFor()
  const note = page.getByRole('region', { name: 'Invariants leave out 1 flag' })
  await note.waitFor()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await takePictures(page, 'invariant')
  await overrideWith(page, 'Agreed with the team')
  await takePictures(page, 'override')
  await page.getByRole('button', { name: 'Preview with the override' }).click()
  await page.getByRole('region', { name: 'Invariants are overridden in Staging' }).waitFor()
  await page.getByText('Import: 2 new flags', { exact: true }).waitFor()
  await expectAccessible(page)
  await takePictures(page, 'overridden')

  await page.getByRole('button', { name: 'Do not override' }).click()
  await note.waitFor()
  await confirmImport(page)
  await page.getByRole('heading', { name: 'The flags are imported' }).waitFor()
  const keys = (await flagsOf('staging')).map(({ key }: { key: string }) => key)
  expect([keys.includes('permitted'), keys.includes('forbidden')]).toEqual([true, false])

  await reviewForStaging(page, ['forbidden', 'permitted'])
  await overrideWith(page, 'Agreed with the team')
  await page.getByRole('button', { name: 'Preview with the override' }).click()
  await page.getByText('Import: 1 new flag, 1 flag as before', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Import…' }).click()
  await page.getByText('Overrides invariants in Staging: Agreed with the team').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'The flags are imported' }).waitFor()
  expect(await overridesOf('forbidden')).toEqual({ invariants: ['kept-off'], reason: 'Agreed with the team' })
})

test('an import that an invariant refuses since the review goes on with a reason', async (context) => {
  const { page } = await visit(context, server)
  await reviewForStaging(page, ['refused-late'])
  await keepOff(context, 'late', 'refused-late')
  await confirmImport(page)
  await page.getByText('The import was refused').waitFor()
  await overrideWith(page, 'Größerer Test')
  await takePictures(page, 'refused')
  await page.getByRole('button', { name: 'Preview with the override' }).click()
  await page.getByRole('region', { name: 'Invariants are overridden in Staging' }).waitFor()
  await confirmImport(page)
  await page.getByRole('heading', { name: 'The flags are imported' }).waitFor()
  expect(await overridesOf('refused-late')).toEqual({ invariants: ['late'], reason: 'Größerer Test' })
})

test('an editor sees the override, and that the role does not allow it', async (context) => {
  await keepOff(context, 'not-for-editors', 'editor-forbidden')
  const { page } = await visit(context, server, { as: await server.addPerson('importer', 'editor') })
  await reviewForStaging(page, ['editor-forbidden', 'editor-permitted'])
  const button = page.getByRole('button', { name: 'Override…' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
})

test('the page shows what is sent and translated, and one can cancel', async (context) => {
  const { context: window, page } = await visit(context, server)
  const keys = Array.from({ length: 5_000 }, (_, index) => `slow-${index}`)
  await openImport(page, 'flagd')
  await choose(page, flagdFile(keys))
  const network = await window.newCDPSession(page)
  const limits = { offline: false, latency: 0, downloadThroughput: -1 }
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', { ...limits, uploadThroughput: 100_000 })
  await page.getByRole('button', { name: 'Read the files' }).click()
  const status = page.getByRole('status')
  await status.getByText(/^Sending [1-9][\d.]* KiB of [\d.]+ KiB…$/).waitFor()
  await page.getByRole('progressbar', { name: /^Sending / }).waitFor()
  expect(await page.getByRole('radio', { name: 'Unleash' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await takePictures(page, 'sending')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await status.getByText(/^Sending/).waitFor({ state: 'detached' })
  expect(await page.getByText('The files were not translated').count()).toBe(0)

  // A response that takes long: a held route would hold the upload as well.
  const slow = { ...limits, latency: 5_000, uploadThroughput: -1 }
  await network.send('Network.emulateNetworkConditions', slow)
  await page.getByRole('button', { name: 'Read the files' }).click()
  await status.getByText('Translating 5,000 flags…').waitFor()
  await takePictures(page, 'translating')
  await expectAccessible(page)
  await page.getByLabel('Import these files into').waitFor()
})

test('going back and forth keeps every choice, and the same files are not sent again', async (context) => {
  const { page } = await visit(context, server)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/import')) sent += 1
  })
  await openImport(page, 'flagd')
  await choose(page, flagdFile(['kept-1', 'kept-2', 'kept-3']))
  const names = page.getByLabel('Attributes with another name here')
  await names.fill('email=user_email')
  await page.getByRole('button', { name: 'Read the files' }).click()
  const target = page.getByLabel('Import these files into')
  await target.selectOption({ label: 'Staging' })
  await page.getByRole('button', { name: 'Preview the import' }).click()
  const search = page.getByRole('searchbox', { name: 'Search flags and reasons' })
  await search.fill('kept-2')
  await page.getByRole('button', { name: 'Leave out 1 shown' }).click()
  await page.getByText('Import: 2 new flags', { exact: true }).waitFor()
  const back = page.getByRole('button', { name: 'Back', exact: true })
  await back.click()
  expect(await target.inputValue()).toBe(server.environments.staging)
  await back.click()
  await page.getByRole('list', { name: 'Chosen files' }).getByText('flags.json').waitFor()
  expect(await names.inputValue()).toBe('email=user_email')
  expect(await page.getByRole('radio', { name: 'flagd', exact: true }).isChecked()).toBe(true)
  await page.getByText('These files are translated already.').waitFor()
  await takePictures(page, 'translated')

  await page.getByRole('button', { name: 'Continue' }).click()
  expect(await target.inputValue()).toBe(server.environments.staging)
  await page.getByRole('button', { name: 'Preview the import' }).click()
  await page.getByText('Import: 2 new flags', { exact: true }).waitFor()
  expect(await search.inputValue()).toBe('kept-2')
  await page.getByRole('button', { name: 'Take 1 back in' }).waitFor()
  expect(sent).toBe(1)

  // Other names of attributes need a new translation. The choices about the same files stay.
  await back.click()
  await back.click()
  await names.fill('email=mail')
  await page.getByRole('button', { name: 'Read the files' }).click()
  await target.waitFor()
  expect(await target.inputValue()).toBe(server.environments.staging)
  expect(sent).toBe(2)

  // Other files start without these choices.
  await back.click()
  await choose(page, flagdFile(['kept-1', 'kept-2']))
  await page.getByRole('button', { name: 'Read the files' }).click()
  await target.waitFor()
  expect(await target.inputValue()).toBe('')
  await target.selectOption({ label: 'Staging' })
  await page.getByRole('button', { name: 'Preview the import' }).click()
  await page.getByText('Import: 2 new flags', { exact: true }).waitFor()
  expect(await search.inputValue()).toBe('')
})

test('files that are too large, no text or of another service are refused with a reason', async (context) => {
  const { page } = await visit(context, server)
  await openImport(page, 'launchdarkly')
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/json', buffer })
  await choose(page, file('huge.json', Buffer.alloc(5 * 1024 * 1024, 'x')))
  await page.getByText('huge.json has 5 MiB, and one import takes at most 4 MiB.').waitFor()
  await choose(page, file('picture.json', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff])))
  await page.getByText('picture.json cannot be read: line 1 has bytes that are no UTF-8').waitFor()
  await choose(page, file('other.json', Buffer.from('{"some": "thing"}')))
  await page.getByRole('button', { name: 'Read the files' }).click()
  await page.getByText('other.json has nothing by which a file of LaunchDarkly is known.').waitFor()
})
