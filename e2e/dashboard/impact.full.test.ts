import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createClient } from '../../packages/sdk/src/index.ts'
import { eventually } from '../../packages/server/test/harness/eventually.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'
import { takePictures } from './harness/take-pictures.ts'

const server = serveDashboard()
const USERS = 40
const api = (path: string) => `/api/environments/${server.environments.production}/${path}`
const panelOf = (page: Page) => page.getByRole('region', { name: 'Users who change' })

beforeAll(async () => {
  const segments = [{ key: 'beta', name: 'Beta', included_keys: ['user-1'] }]
  const flags = [
    { key: 'checkout', is_enabled: true, rollout_percentage: 0, rules: [{ segment_key: 'beta' }] },
    { key: 'upsell', is_enabled: true, prerequisites: [{ flag_key: 'checkout' }] },
  ]
  await server.call('POST', api('apply'), { segments, flags })
  const key = await server.call('POST', `/api/projects/${server.project_id}/keys`, {
    name: 'Shop',
    environment_id: server.environments.production,
    kind: 'server',
  })
  const client = createClient({ url: server.url, sdkKey: key.key, appName: 'shop' })
  await client.connect()
  for (let at = 0; at < USERS; at++) client.isEnabled('checkout', `user-${at}`)
  await client.close()
  const body = { changes: [{ flag_key: 'checkout', operation: 'archive' }] }
  await eventually(async () => (await server.call('POST', api('impact'), body)).users.known === USERS)
})

test('the switch in Production states whom it changes before it is confirmed', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'flags'))
  await page.getByRole('switch', { name: /checkout/ }).press('Space')
  await panelOf(page).getByText('1 of 40 recently seen users changes: 1 loses access.').waitFor()
  await takePictures(page, 'switch')
})

test('a review shows a bar for each flip, dependants and example users', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'flags/checkout'))
  await page
    .getByRole('textbox', { name: /rollout/i })
    .first()
    .fill('100')
  await page.getByRole('button', { name: /Review/ }).click()
  const panel = panelOf(page)
  await panel.getByText('39 of 40 recently seen users change: 39 gain access.').waitFor()
  await panel.getByText('Also moves: upsell for 39').waitFor()
  await takePictures(page, 'review')
  const example = panel.getByRole('link', { name: /user-/ }).first()
  expect(await example.getAttribute('href')).toMatch(/evaluate\?user=user-\d+/)
})

test('a segment states whom it changes, in each of its flags', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'segments/beta'))
  await page.getByRole('textbox', { name: /included/i }).fill('user-1\nuser-2')
  await page.getByRole('button', { name: /Review/ }).click()
  await panelOf(page)
    .getByText(/1 of 40 recently seen users changes: 1 gains access/)
    .waitFor()
  await panelOf(page).getByText('Also moves: upsell for 1').waitFor()
  await takePictures(page, 'segment')
})

/** Gives a reason for the override in the open dialog. */
async function override(dialog: Locator, reason: string): Promise<void> {
  await dialog.getByText('An invariant blocks this change.').waitFor()
  await dialog.getByRole('button', { name: 'Override…' }).click()
  await dialog.getByRole('textbox', { name: 'Why are the invariants overridden?' }).fill(reason)
}

test('a review closes a save that breaks an invariant, unless a reason overrides it', async (context) => {
  const demand = { key: 'checkout-is-beta', flag: 'checkout', at_most: { percent: 5, value: true } }
  const when = [{ attribute: '$user_key', operator: 'not_equals', values: ['user-1'] }]
  const environments = ['production']
  const path = `/api/projects/${server.project_id}/invariants`
  await server.call('POST', path, { ...demand, when, environments })
  context.onTestFinished(async () => {
    await server.call('DELETE', `${path}/${demand.key}`)
    await server.call('PATCH', api('flags/checkout'), { rollout_percentage: 0 })
  })
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'flags/checkout'))
  await page
    .getByRole('textbox', { name: /rollout/i })
    .first()
    .fill('50')
  await page.getByRole('button', { name: /Review/ }).click()
  await page.getByRole('alert').filter({ hasText: 'Breaks checkout-is-beta' }).waitFor()
  await takePictures(page, 'violation')
  const save = page.getByRole('button', { name: 'Override and save' })
  expect(await save.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Override…' }).click()
  await page.getByRole('textbox', { name: 'Why are the invariants overridden?' }).fill('Größerer Test')
  await takePictures(page, 'override')
  await save.click()
  await page.getByText('checkout is saved').waitFor()
  const [entry] = await server.call('GET', api('audit?flag_key=checkout&limit=1'))
  expect(entry.metadata.override).toEqual({ invariants: [demand.key], reason: 'Größerer Test' })
})

test('a switch and a segment that break an invariant are made with a reason', async (context) => {
  const when = [{ attribute: '$user_key', operator: 'equals', values: ['user-1', 'user-3'] }]
  const demand = { key: 'off-for-some', flag: 'checkout', when, never: [true] }
  const path = `/api/projects/${server.project_id}/invariants`
  await server.call('PATCH', api('flags/checkout'), { is_enabled: false })
  await server.call('POST', path, { ...demand, environments: ['production'] })
  context.onTestFinished(async () => {
    await server.call('DELETE', `${path}/${demand.key}`)
  })
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'flags'))
  await page.getByRole('switch', { name: 'checkout is on' }).click({ force: true })
  const question = page.getByRole('dialog', { name: 'Turn on checkout' })
  await override(question, 'Agreed')
  await takePictures(page, 'override-switch')
  await question.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('checkout is on').first().waitFor()
  await expect
    .poll(async () => (await server.call('GET', api('audit?flag_key=checkout&limit=1')))[0].metadata.override)
    .toEqual({ invariants: [demand.key], reason: 'Agreed' })

  await page.goto(server.page('production', 'segments/beta'))
  await page.getByRole('textbox', { name: /included/i }).fill('user-3')
  await page.getByRole('button', { name: /Review/ }).click()
  await page.getByRole('button', { name: 'Override…' }).click()
  await page.getByRole('textbox', { name: 'Why are the invariants overridden?' }).fill('Agreed again')
  await takePictures(page, 'override-segment')
  await page.getByRole('button', { name: 'Override and save' }).click()
  await page.getByText('Segment beta is saved').waitFor()
})

test('a restore, an archival and a deletion that break an invariant are made with a reason', async (context) => {
  await server.call('POST', api('flags'), { key: 'kept', is_enabled: true })
  await server.call('PATCH', api('flags/kept'), { rollout_percentage: 50 })
  const invariants = `/api/projects/${server.project_id}/invariants`
  const environments = ['production']
  const half = { key: 'kept-for-half', flag: 'kept', at_most: { percent: 60, value: true }, environments }
  const exists = { key: 'kept-exists', flag: 'kept', shape: { exists: true }, environments }
  for (const demand of [half, exists]) await server.call('POST', invariants, demand)
  context.onTestFinished(async () => {
    await server.call('DELETE', `${invariants}/${exists.key}`)
  })
  const lastOverride = async () =>
    (await server.call('GET', api('audit?flag_key=kept&limit=1')))[0].metadata?.override
  const { page } = await visit(context, server)
  await page.goto(`${server.page('production', 'flags/kept')}?tab=history`)
  await page
    .getByRole('button', { name: /^Restore revision/ })
    .last()
    .click()
  const restore = page.getByRole('dialog', { name: /^Restore revision/ })
  await override(restore, 'For all')
  await restore.getByRole('button', { name: /^Restore revision/ }).click()
  await restore.waitFor({ state: 'detached' })
  expect(await lastOverride()).toEqual({ invariants: [half.key], reason: 'For all' })
  await server.call('DELETE', `${invariants}/${half.key}`)

  await page.getByRole('button', { name: 'More actions for this flag' }).click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  const archive = page.getByRole('dialog', { name: 'Archive kept' })
  await archive.getByText('An invariant blocks this change.').waitFor()
  expect(await archive.getByRole('button', { name: 'Archive flag' }).isDisabled()).toBe(true)
  await override(archive, 'Not needed')
  await takePictures(page, 'override-archive')
  await archive.getByRole('button', { name: 'Archive flag' }).click()
  await page.getByText('kept is archived').waitFor()
  expect(await lastOverride()).toEqual({ invariants: [exists.key], reason: 'Not needed' })
  await server.call('POST', api('flags/kept/unarchive'))

  await page.reload()
  await page.getByRole('button', { name: 'More actions for this flag' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete kept' })
  await deletion.getByRole('textbox', { name: 'Type kept to confirm' }).fill('kept')
  await override(deletion, 'Gone for good')
  await takePictures(page, 'override-delete')
  await deletion.getByRole('button', { name: 'Delete flag' }).click()
  await page.getByText('kept is deleted from Production').waitFor()
  expect(await lastOverride()).toEqual({ invariants: [exists.key], reason: 'Gone for good' })
})

test('a switch by a command, a switch at once and a bulk action that break an invariant are made with a reason', async (context) => {
  const development = (path: string) => `/api/environments/${server.environments.development}/${path}`
  await server.call('POST', development('flags'), { key: 'closed', is_enabled: false })
  const demand = { key: 'stays-off', flag: 'closed', never: [true], environments: ['development'] }
  const path = `/api/projects/${server.project_id}/invariants`
  await server.call('POST', path, demand)
  context.onTestFinished(async () => {
    await server.call('DELETE', `${path}/${demand.key}`)
  })
  const { page } = await visit(context, server)
  const dialog = page.getByRole('dialog', { name: 'An invariant blocks this change' })
  const confirm = async (reason: string) => {
    await dialog.getByText('Breaks stays-off').waitFor()
    await dialog.getByRole('textbox', { name: 'Why are the invariants overridden?' }).fill(reason)
    await dialog.getByRole('button', { name: 'Override and save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect
      .poll(
        async () =>
          (await server.call('GET', development('audit?flag_key=closed&limit=1')))[0].metadata.override,
      )
      .toEqual({ invariants: [demand.key], reason })
    await server.call('PATCH', development('flags/closed'), { is_enabled: false })
  }
  await page.goto(server.page('development', 'flags'))
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await page.getByRole('switch', { name: 'closed is on' }).click({ force: true })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('closed was not switched').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('switch', { name: 'closed is on' }).click({ force: true })
  await dialog.waitFor()
  await takePictures(page, 'override-at-once')
  await confirm('By its switch')

  await page.reload()
  await page.getByRole('switch', { name: 'closed is on' }).waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('Turn on closed')
  await page
    .getByRole('option', { name: /Turn on closed/ })
    .first()
    .click()
  await confirm('By a command')

  await page.reload()
  await page.getByRole('checkbox', { name: /closed/ }).check({ force: true })
  await page.getByRole('region', { name: 'Selected flags' }).getByRole('button', { name: 'Turn on' }).click()
  await confirm('In bulk')
})

test('an override is offered for a write that is refused before the page has loaded what the offer needs', async (context) => {
  const development = (path: string) => `/api/environments/${server.environments.development}/${path}`
  await server.call('POST', development('flags'), { key: 'early', is_enabled: false })
  const demand = { key: 'early-is-off', flag: 'early', never: [true], environments: ['development'] }
  const path = `/api/projects/${server.project_id}/invariants`
  await server.call('POST', path, demand)
  context.onTestFinished(async () => {
    await server.call('DELETE', `${path}/${demand.key}`)
  })
  const { page } = await visit(context, server, { as: await server.addPerson('prue', 'admin') })
  let load = () => {}
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  const offer = /\/assets\/prepare-override-/
  for (const late of [offer, /\/api\/projects\/[\w-]+\/environments$/]) {
    await page.route(late, async (route) => {
      await loaded
      await route.continue()
    })
  }
  const offerIsRequested = page.waitForRequest(offer)
  await page.goto(server.page('development', 'flags'))
  const refused = page.waitForResponse((response) => response.status() === 422)
  await page.getByRole('switch', { name: 'early is on' }).click({ force: true })
  await refused
  await offerIsRequested
  load()
  const dialog = page.getByRole('dialog', { name: 'An invariant blocks this change' })
  await dialog.getByText('Breaks early-is-off').waitFor()
  await dialog.getByRole('textbox', { name: 'Why are the invariants overridden?' }).fill('At once')
  await dialog.getByRole('button', { name: 'Override and save' }).click()
  await page.getByText('early is on').first().waitFor()
  const [entry] = await server.call('GET', development('audit?flag_key=early&limit=1'))
  expect(entry.metadata.override).toEqual({ invariants: [demand.key], reason: 'At once' })
})

test('invariants are created, decided, shown at their flag, changed and deleted', async (context) => {
  const { page } = await visit(context, server)
  const settings = `${server.url}/projects/${server.project_id}/settings?tab=invariants`
  await page.goto(settings)
  await page.getByRole('button', { name: 'Create invariant' }).click()
  const dialog = page.getByRole('dialog')
  const create = dialog.getByRole('button', { name: 'Create invariant' })
  await create.click()
  await dialog.getByText('Choose the flag.').waitFor()
  await dialog.getByRole('textbox', { name: 'Key' }).fill('beta-plan')
  await dialog.getByLabel('Flag', { exact: true }).first().fill('upsell')
  await dialog.getByLabel('Flag', { exact: true }).first().press('Tab')
  expect(await dialog.getByText(/^(Choose the flag|Enter a key)/).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Remove condition 1' }).click()
  await dialog.getByText('Every possible user.').waitFor()
  await dialog.getByRole('button', { name: 'Add condition' }).click()
  await dialog.getByLabel('Attribute').fill('plan')
  await takePictures(page, 'invariant-form')
  await dialog.getByRole('combobox', { name: 'Demand' }).click()
  await page.getByRole('option', { name: 'A value requires a value of another flag' }).click()
  await dialog.getByLabel('Of the other flag').first().fill('checkout')
  await takePictures(page, 'invariant-form-implies')
  await dialog.getByRole('combobox', { name: 'Demand' }).click()
  await page.getByRole('option', { name: 'The flag itself has' }).click()
  await takePictures(page, 'invariant-form-shape')
  await dialog.getByRole('combobox', { name: 'Demand' }).click()
  await page.getByRole('option', { name: 'Users never get' }).click()
  await create.click()
  await dialog.getByText(/violates [^i]|gets true/).waitFor()
  await dialog.getByText('Warn', { exact: true }).click()
  await create.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByLabel('Production: violated').waitFor()
  await takePictures(page, 'invariants')
  await page.goto(server.page('production', 'flags/upsell'))
  await page.getByRole('group', { name: 'Invariants of this flag' }).getByText('beta-plan').waitFor()
  await takePictures(page, 'shields')
  await page.goto(settings)
  await page.getByRole('button', { name: 'Actions for beta-plan' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Sold with the plan')
  await dialog.getByRole('button', { name: 'Save invariant' }).click()
  await page.getByText('Sold with the plan').waitFor()
  await page.getByRole('button', { name: 'Actions for beta-plan' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete invariant' }).click()
  await page.getByText('No invariant: every change that is valid is allowed.').waitFor()
})

test('a request for approval states whom it would change', async (context) => {
  const settings = `/api/projects/${server.project_id}/environments/${server.environments.production}`
  const editor = await server.addPerson('edda', 'editor')
  await server.call('POST', `${settings}/require-approval`, { require_approval: true })
  const { context: hers } = await visit(context, server, { as: editor })
  const reply = await hers.request.patch(`${server.url}${api('flags/checkout')}`, {
    data: { rollout_percentage: 100 },
    headers: { 'X-FlagService-Request': 'true' },
  })
  expect(reply.status()).toBe(202)
  const { page } = await visit(context, server)
  const { id } = await reply.json()
  await page.goto(`${server.page('production', 'change-requests')}?id=${id}`)
  await panelOf(page).getByText('39 of 40 recently seen users change: 39 gain access.').waitFor()
  await takePictures(page, 'request')
})
