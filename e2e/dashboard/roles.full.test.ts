import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Person, serveDashboard, visit } from './harness/open-dashboard.ts'

const server = serveDashboard()

let viewer: Person
let editor: Person

beforeAll(async () => {
  viewer = await server.addPerson('viewer', 'viewer')
  editor = await server.addPerson('editor', 'editor')
  const staging = `/api/environments/${server.environments.staging}`
  const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
  await server.call('POST', `${staging}/flags`, { key: 'fast-checkout', is_enabled: true, rules })
  await server.call('POST', `${staging}/segments`, { key: 'beta', name: 'Beta testers', rules })
  await server.call('POST', `${staging}/experiments`, {
    key: 'checkout',
    name: 'Checkout',
    flag_key: 'fast-checkout',
    goal_event_key: 'purchase',
  })
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString()
  const patch = { is_enabled: false }
  await server.call('POST', `${staging}/flags/fast-checkout/scheduled-changes`, { scheduled_at, patch })
})

/** The names of buttons that change something. */
const CHANGING =
  /^(?:new|create|add|save|review|rename|edit|archive|unarchive|delete|remove|revoke|promote|approve|reject|restore|schedule|switch|turn|enable|disable|start|stop)\b/i

/** Controls in the page that are not disabled and would change something, by their names. */
async function openControls(page: Page): Promise<string[]> {
  const main = page.getByRole('main')
  const buttons = main.getByRole('button', { name: CHANGING, disabled: false })
  const switches = main.getByRole('switch', { disabled: false })
  return [...(await buttons.allTextContents()), ...(await switches.all()).map(String)]
}

test('a viewer sees every page of an environment and of its project, and can change nothing', async (context) => {
  const { page } = await visit(context, server, { as: viewer })
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`)
  })
  await page.goto(server.page('staging', 'flags'))
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  await links.first().waitFor()
  const addresses = await links.evaluateAll((found) =>
    found.map((link) => (link as HTMLAnchorElement).pathname),
  )
  expect(addresses.length).toBeGreaterThanOrEqual(14)

  for (const address of [...addresses, `${addresses[0]}/fast-checkout`, `${addresses[1]}/beta`]) {
    await page.goto(server.url + address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
    // An evaluation stores nothing.
    if (!address.endsWith('/evaluate')) {
      expect([address, await openControls(page)]).toEqual([address, []])
    }
  }
  expect(writes).toEqual([])
})

test('what a viewer may not do is shown disabled, with the reason', async (context) => {
  const { page } = await visit(context, server, { as: viewer })
  const reason = 'This needs the role editor or admin in the project; you are a viewer.'

  for (const list of ['flags', 'segments', 'experiments']) {
    await page.goto(server.page('staging', list))
    const control = page.getByRole('main').getByRole('group', { name: reason }).first()
    expect(await control.getByRole('button').or(control.getByRole('switch')).first().isDisabled()).toBe(true)
    await control.focus()
    await page.getByRole('tooltip', { name: reason }).waitFor()
  }
})

test('an editor who opens webhooks sees the role that they need, who can give it, and a request to copy', async (context) => {
  const projectAdmin = await server.addPerson('petra', 'admin')
  const { page } = await visit(context, server, { as: editor })

  await page.goto(server.page('staging', 'webhooks'))

  await page.getByRole('heading', { name: 'Webhooks are for admins' }).waitFor()
  await page.getByText('This needs the role admin in the project; you are an editor.').waitFor()
  await page.getByText(`${projectAdmin.email} can give it to you`).waitFor()
  const request = page.getByRole('group', { name: 'Request for access' })
  expect(await request.textContent()).toContain(server.page('staging', 'webhooks'))
  const [box, window] = [await request.boundingBox(), page.viewportSize()]
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(window?.width ?? 0)
  await page.getByRole('button', { name: 'Copy the request' }).click()
})

test('an editor may do what a viewer may not', async (context) => {
  const { page } = await visit(context, server, { as: editor })

  await page.goto(server.page('staging', 'segments'))

  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('dialog', { name: 'Create segment' }).waitFor()
})
