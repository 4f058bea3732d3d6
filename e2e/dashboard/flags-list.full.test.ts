import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()
const MANY = 5_000
/** More than one call of the bulk action takes. */
const BULK = 101

const path = (slug: string, rest = '') => `/api/environments/${server.environments[slug]}/flags${rest}`
const create = (slug: string, flag: object) => server.call('POST', path(slug), { is_enabled: false, ...flag })
const flagOf = (slug: string, key: string) => server.call('GET', path(slug, `/${key}`))
const switchOf = (page: Page, key: string) => page.getByRole('switch', { name: `${key} is on` })
const rowOf = (page: Page, key: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: key, exact: true }) })

beforeAll(async () => {
  await Promise.all([
    create('development', {
      key: 'new-checkout',
      description: 'One button',
      tags: ['checkout'],
      is_enabled: true,
    }),
    create('development', { key: 'old-banner', tags: ['banner'] }),
    create('development', { key: 'search-order', tags: ['checkout'] }),
    create('production', { key: 'live-flag' }),
  ])
})

test('an empty environment teaches what a flag is, and its first one is created there', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags'))

  await page.getByRole('heading', { name: 'No flags in Staging yet' }).waitFor()
  await page.getByRole('button', { name: 'Create flag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  await dialog.getByLabel('Description').fill('A new checkout')
  await dialog.getByText('Staging only').click()
  await dialog.getByRole('button', { name: 'Create flag' }).click()

  await page.waitForURL(server.page('staging', 'flags/a-new-checkout'))
  expect(await flagOf('staging', 'a-new-checkout')).toMatchObject({
    description: 'A new checkout',
    is_enabled: false,
    flag_type: 'boolean',
  })
})

test('a key that exists is refused with a link, and its flag stays as it is', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))

  await page.getByRole('button', { name: 'Create flag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  await dialog.getByLabel('Key').fill('new checkout')

  await dialog.getByText('A flag has this key already.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Create flag' }).isDisabled()).toBe(true)
  await dialog.getByRole('link', { name: 'Open it' }).click()
  await page.waitForURL(server.page('development', 'flags/new-checkout'))
  expect(await flagOf('development', 'new-checkout')).toMatchObject({ description: 'One button' })
})

test('a flag is not created while a value of it cannot be read', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags?new=flag'))

  const dialog = page.getByRole('dialog', { name: 'Create flag' })
  await dialog.getByLabel('Key').fill('a-number')
  await dialog.getByText('Development only').click()
  await dialog.getByText('Integer', { exact: true }).click()
  const value = dialog.getByLabel('Value when on')
  await value.fill('12x')
  await dialog.getByRole('button', { name: 'Create flag' }).click()

  await value.and(page.locator(':focus')).waitFor()
  await value.fill('12')
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  await page.waitForURL(server.page('development', 'flags/a-number'))
  expect(await flagOf('development', 'a-number')).toMatchObject({ default_value: 12 })
  await server.call('DELETE', path('development', '/a-number'))
})

test('a switch in the list works at once and can be undone', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))

  await switchOf(page, 'old-banner').click({ force: true })
  await page.getByText('old-banner is on').waitFor()
  expect(await switchOf(page, 'old-banner').isChecked()).toBe(true)
  expect(await flagOf('development', 'old-banner')).toMatchObject({ is_enabled: true })

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('old-banner is off').waitFor()
  expect(await flagOf('development', 'old-banner')).toMatchObject({ is_enabled: false })
})

test('in Production a switch asks once more', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'flags'))

  await switchOf(page, 'live-flag').click({ force: true })
  const question = page.getByRole('dialog', { name: 'Turn on live-flag' })
  await question.getByRole('button', { name: 'Turn on' }).and(page.locator(':focus')).waitFor()
  // A key of the list, which the question is not in.
  await page.keyboard.press('j')
  expect(await question.locator(':focus').count()).toBe(1)
  expect(await flagOf('production', 'live-flag')).toMatchObject({ is_enabled: false })
  await question.getByRole('button', { name: 'Turn on' }).click()

  await page.getByText('live-flag is on').waitFor()
  expect(await flagOf('production', 'live-flag')).toMatchObject({ is_enabled: true })
})

test('what someone else changed meanwhile is shown and not overwritten', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))
  await switchOf(page, 'search-order').waitFor()
  await page.route('**/flags/search-order', async (route) => {
    if (route.request().method() === 'PATCH') {
      await server.call('PATCH', path('development', '/search-order'), { description: 'Changed by someone' })
    }
    await route.continue()
  })

  await switchOf(page, 'search-order').click({ force: true })

  await page.getByText('Someone else changed search-order').waitFor()
  await rowOf(page, 'search-order').getByText('Changed by someone').waitFor()
  expect(await switchOf(page, 'search-order').isChecked()).toBe(false)
  expect(await flagOf('development', 'search-order')).toMatchObject({ is_enabled: false })
})

test('a switch that the server refuses is not shown as done, also not on the flag that is opened meanwhile', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))
  let refuse = () => {}
  const isRefused = new Promise<void>((resolve) => {
    refuse = resolve
  })
  await page.route('**/flags/old-banner', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await isRefused
    await route.fulfill({ status: 503, json: { error: 'The disk is full.' } })
  })

  await switchOf(page, 'old-banner').click({ force: true })
  await page.getByRole('link', { name: 'old-banner', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'old-banner' }).waitFor()
  refuse()

  await page.getByText('The disk is full.').waitFor()
  await page.getByLabel('The flag is off').waitFor()
  expect(await page.getByRole('button', { name: 'Review changes' }).count()).toBe(0)
})

test('where changes need an approval, a switch asks first and leads to the change request', async (context) => {
  const { id } = await server.call('POST', `/api/projects/${server.project_id}/environments`, {
    name: 'Guarded',
    slug: 'guarded',
  })
  const guarded = `/api/environments/${id}/flags`
  await server.call('POST', guarded, { key: 'asked', is_enabled: false })
  await server.call('POST', `/api/projects/${server.project_id}/environments/${id}/require-approval`, {
    require_approval: true,
    approval_scope: 'all',
  })
  const { page } = await visit(context, server)
  const there = `${server.url}/projects/${server.project_id}/environments/${id}`
  await page.goto(`${there}/flags`)

  await page.getByLabel('Select asked').click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Delete 1 flag?' })
  await question.getByText('Someone else has to approve each of them first.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.mantine-Modal-overlay').waitFor({ state: 'detached' })
  await switchOf(page, 'asked').click({ force: true })
  const confirmation = page.getByRole('dialog', { name: /asked/ })
  await confirmation.getByText('Nothing changes until someone else approves it.').waitFor()
  await confirmation.getByRole('button', { name: /^Turn o/ }).click()
  await page.getByRole('link', { name: /See change request/ }).click()

  await page.getByRole('heading', { level: 1, name: 'Change requests' }).waitFor()
  expect(page.url()).toMatch(/change-requests\?id=/)
  expect(await server.call('GET', `${guarded}/asked`)).toMatchObject({ is_enabled: false })
})

test('filters stand in the address and survive a reload', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))

  await page.getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'checkout' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'On', exact: true }).click()
  await page.getByLabel('Search flags').fill('button')
  await page.waitForURL(/q=button/)
  await page.reload()

  await rowOf(page, 'new-checkout').waitFor()
  await page.getByText('1 of 3').waitFor()
  expect(await page.getByLabel('Search flags').inputValue()).toBe('button')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('3 flags').waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test('the list shows when a flag was changed last and by whom, however long ago that was', async (context) => {
  for (let at = 0; at < 55; at += 1) {
    await server.call('PATCH', path('development', '/search-order'), { description: `Change ${at}` })
  }
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))

  await rowOf(page, 'old-banner').getByText('ada@example.com').waitFor()
  await rowOf(page, 'search-order').getByText('just now').waitFor()
})

test('a viewer sees the flags and can change nothing, and sees why', async (context) => {
  const viewer = await server.addPerson('vera', 'viewer')
  const { page } = await visit(context, server, { as: viewer })
  await page.goto(server.page('development', 'flags'))

  await rowOf(page, 'new-checkout').waitFor()
  expect(await switchOf(page, 'new-checkout').isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Create flag' }).isDisabled()).toBe(true)
  const reason = 'This needs the role editor or admin in the project; you are a viewer.'
  await rowOf(page, 'new-checkout').getByRole('group', { name: reason }).waitFor()
})

test('an action over many selected flags shows its progress, and can be undone', async (context) => {
  // All but the last are on before: undoing must leave them on.
  const keys = Array.from({ length: BULK }, (_, index) => `bulk-${String(index).padStart(3, '0')}`)
  await Promise.all(keys.map((key, index) => create('staging', { key, is_enabled: index < BULK - 1 })))
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags?q=bulk-'))
  await page.getByLabel(`Select all ${BULK} flags that are listed`).click()
  await page.getByText(`${BULK} selected`).waitFor()
  const held = holdSecond(page, '**/flags/bulk')

  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText(`Turning on ${BULK} flags: 100 done`).waitFor()
  held.release()

  await page.getByText(`Turned on ${BULK} flags`).waitFor()
  expect(await enabledOf('staging')).toBe(BULK)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Turned off 1 flag').waitFor()
  expect(await enabledOf('staging')).toBe(BULK - 1)
})

test('flags that could not be changed are named with the reason, and the others can be taken back', async (context) => {
  await Promise.all([create('staging', { key: 'gone-soon' }), create('staging', { key: 'gone-never' })])
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags?q=gone'))
  await page.getByLabel('Select all 2 flags that are listed').click()
  const deleteOne = async (route: Route) => {
    await server.call('DELETE', path('staging', '/gone-soon'))
    await route.continue()
  }
  await page.route('**/flags/bulk', deleteOne, { times: 1 })

  await page.getByRole('button', { name: 'Turn on' }).click()

  const report = page.getByRole('dialog', { name: 'Not everything was done' })
  await report.getByText('gone-soon').waitFor()
  expect(await flagOf('staging', 'gone-never')).toMatchObject({ is_enabled: true })
  await report.getByRole('button', { name: 'Undo the saved changes' }).click()
  await page.getByText('Turned off 1 flag').waitFor()
  expect(await flagOf('staging', 'gone-never')).toMatchObject({ is_enabled: false })
})

test('an action whose page is left stops, and states how far it came', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('staging', 'flags?q=bulk-'))
  await page.getByLabel(`Select all ${BULK} flags that are listed`).click()
  await page.route('**/flags/bulk', async (route) => {
    await page.getByRole('link', { name: 'Segments' }).click()
    await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
    await route.continue()
  })

  await page.getByRole('button', { name: 'Turn on' }).click()

  await page.getByText('Turned on 100 flags. The page was left before the other 1 flag.').waitFor()
  expect(await enabledOf('staging')).toBe(BULK - 1)
})

test('in Production deleting several asks for its name to be typed', async (context) => {
  await create('production', { key: 'to-delete' })
  const { page } = await visit(context, server)
  await page.goto(server.page('production', 'flags?q=to-delete'))
  await page.getByLabel('Select to-delete').click()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Delete 1 flag in Production?' })
  const confirm = question.getByRole('button', { name: 'Delete 1 flag' })
  await confirm.waitFor()
  expect(await confirm.isDisabled()).toBe(true)
  await question.getByRole('textbox', { name: /Production/ }).fill('Production')
  await confirm.click()

  await page.getByText('Deleted 1 flag').waitFor()
  await page.getByText('No flag fits these filters').waitFor()
})

test('5,000 flags: only the rows in sight are drawn, and typing narrows them', async (context) => {
  const { page } = await visit(context, server)
  const flag = await flagOf('development', 'new-checkout')
  const flags = Array.from({ length: MANY }, (_, index) => ({
    ...flag,
    key: `flag-${String(index).padStart(4, '0')}`,
  }))
  await page.route(`**${path('development')}`, (route) => route.fulfill({ json: flags }))
  await page.goto(server.page('development', 'flags'))
  await rowOf(page, 'flag-0000').waitFor()

  expect(await page.getByRole('row').count()).toBeLessThan(40)
  expect(await page.getByRole('grid', { name: 'Flags' }).getAttribute('aria-rowcount')).toBe(String(MANY + 1))
  await page.getByRole('link', { name: 'flag-0000', exact: true }).focus()
  await page.keyboard.press('End')
  await rowOf(page, 'flag-4999').waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(40)
  await page.getByLabel('Search flags').pressSequentially('flag-123')
  await page.getByText('10 of 5,000').waitFor()
  expect(await page.getByRole('row').count()).toBe(11)
})

async function enabledOf(slug: string): Promise<number> {
  const flags: { is_enabled: boolean }[] = await server.call('GET', path(slug))
  return flags.filter(({ is_enabled }) => is_enabled).length
}

/** Lets the first request through and holds the second until it is released. */
function holdSecond(page: Page, url: string): { readonly release: () => void } {
  let count = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  void page.route(url, async (route) => {
    count += 1
    if (count === 2) await released
    await route.continue()
  })
  return { release }
}
