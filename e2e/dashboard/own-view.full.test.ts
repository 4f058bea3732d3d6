import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { readStream } from '../../packages/server/test/harness/read-stream.ts'
import { expectAccessible } from './harness/expect-accessible.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

const at = (path: string) => `/api/projects/${server.project_id}${path}`
const rowOf = (page: Page, key: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: key, exact: true }) })

beforeAll(async () => {
  for (const key of ['checkout', 'banner', 'prices']) {
    const flag = { key, is_enabled: true, tags: [`${key}-team`] }
    await server.call('POST', `/api/environments/${server.environments.development}/flags`, flag)
  }
})

test('stars and saved filters of the flag list follow the person to another browser', async (context) => {
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))
  await rowOf(page, 'prices').hover()
  await page.getByRole('button', { name: 'Favorite prices' }).click()
  await page.getByRole('button', { name: 'Only favorites' }).click()
  await rowOf(page, 'banner').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Saved filters' }).click()
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('My flags')
  await page.getByRole('button', { name: 'Save filters' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const elsewhere = (await visit(context, server)).page
  await elsewhere.goto(server.page('development', 'flags'))
  await rowOf(elsewhere, 'banner').waitFor()
  await elsewhere.getByRole('button', { name: 'Saved filters' }).click()
  await elsewhere.getByRole('menuitem', { name: 'My flags', exact: true }).click()
  await rowOf(elsewhere, 'banner').waitFor({ state: 'detached' })
  await elsewhere.getByRole('button', { name: 'Favorite prices', pressed: true }).waitFor()
  await expectAccessible(elsewhere)
})

test('many environments are searched, grouped and put in an own order, and help states how all is', async (context) => {
  for (const name of ['eu test', 'eu load', 'eu demo', 'us test', 'us load', 'QA']) {
    await server.call('POST', at('/environments'), { name, slug: name.toLowerCase().replace(' ', '-') })
  }
  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'flags'))
  const switcher = page.getByRole('button', { name: /^Environment:/ })
  await switcher.click()
  await page.getByText('Other environments').waitFor()
  const names = async () =>
    (await page.getByRole('menuitem').allTextContents()).map((text) => text.slice(0, 7))
  expect((await names())[0]).toBe('Product')
  await page.getByLabel('Find an environment').fill('load')
  await page.getByRole('menuitem', { name: 'QA' }).waitFor({ state: 'detached' })
  await page.getByLabel('Find an environment').fill('')
  await page.getByRole('menuitem', { name: 'Change the order…' }).click()
  const up = page.getByRole('button', { name: 'Move QA up' })
  await up.focus()
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save order' }).click()
  await switcher.click()
  await page.getByRole('menuitem').filter({ hasText: 'QA' }).waitFor()
  expect((await names())[0]).toBe('QA')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByText('Server: ready').waitFor()
  await page.getByText(/^Burgee \d+\.\d+/).waitFor()
  await page.getByRole('menuitem', { name: 'API documentation' }).waitFor()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog').waitFor()
})

test('a key is rotated in one guided step, which counts the programs on both keys', async (context) => {
  const body = { name: 'Shop', kind: 'reader', environment_id: server.environments.staging }
  const old = await server.call('POST', at('/keys'), body)
  const connect = async (key: string) => {
    const stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${key}` })
    await stream.until(({ event }) => event === 'ready')
    return stream
  }
  const program = await connect(old.key)
  const { page } = await visit(context, server)
  await page.goto(`${server.url}/projects/${server.project_id}/settings?tab=keys`)
  const row = page.getByRole('listitem').filter({ hasText: 'Shop' })
  await row.getByText('1 program connected now').waitFor()
  await row.getByText('Reads flags of Staging and sends reports. It changes nothing.').waitFor()
  await row.getByRole('button', { name: 'Rotate Shop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate Shop' })
  await dialog.getByRole('button', { name: 'Create new key' }).click()
  await dialog.getByRole('button', { name: 'Show the secret' }).click()
  const next = (await dialog.getByText(/^sk_live_[\w-]{43}$/).textContent()) ?? ''
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByText('1 program is still connected with the old key. Revoking it now stops it.').waitFor()
  await expectAccessible(page)

  const moved = await connect(next)
  program.close()
  await dialog.getByText('No program is connected with the old key').waitFor()
  await dialog.getByRole('button', { name: 'Revoke the old key…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke SDK key' }).click()
  await page.getByText('The key is revoked.').waitFor()
  const keys: { id: number; name: string; streams: number }[] = await server.call('GET', at('/keys'))
  expect(keys.filter(({ name }) => name === 'Shop')).toMatchObject([{ streams: 1 }])
  expect(keys.some(({ id }) => id === old.id)).toBe(false)
  moved.close()
})

test('change requests are searched, filtered by whose they are, and show a decided change as it was', async (context) => {
  const env_id = server.environments.development
  const patch = (key: string, comment: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${server.url}/api/environments/${env_id}/flags/${key}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ rollout_percentage: 30, comment }),
    }).then((response) => response.json())
  await server.call('POST', at(`/environments/${env_id}/require-approval`), { require_approval: true })
  await patch('checkout', 'Before the weekend', server.admin)
  const key = await server.call('POST', at('/keys'), { name: 'robot', environment_id: env_id })
  await server.runSql('update sdk_keys set created_by = null where id = $1', [key.id])
  const asked = await patch('banner', 'The nightly job', { authorization: `Bearer ${key.key}` })

  const { page } = await visit(context, server)
  await page.goto(server.page('development', 'change-requests'))
  const listed = (flag_key: string) => page.getByRole('link', { name: new RegExp(`Change ${flag_key}`) })
  await listed('checkout').waitFor()
  await page.getByText('Waiting for me').click()
  await listed('checkout').waitFor({ state: 'detached' })
  await listed('banner').waitFor()
  await page.getByText('Mine', { exact: true }).click()
  await listed('banner').waitFor({ state: 'detached' })
  await page.getByText('Everyone', { exact: true }).click()
  await page.getByLabel('Search change requests').fill('NIGHTLY')
  await listed('checkout').waitFor({ state: 'detached' })
  await listed('banner').click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'What the approval changed' }).waitFor()
  await server.call('DELETE', `/api/environments/${env_id}/flags/banner`)
  await page.goto(`${server.page('development', 'change-requests')}?status=approved&id=${asked.id}`)
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Rollout 100% → 30%$|rollout.*30%/i })
    .first()
    .waitFor()
  await expectAccessible(page)
})
