import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../packages/sdk/src/index.ts'
import { ADMIN, SDK_KEY } from '../harness/start-server.ts'
import { serveDashboard, visit } from './harness/open-dashboard.ts'

const BASE = '/burgee'
const server = serveDashboard({ env: { PUBLIC_URL: `http://flags.example.com${BASE}` } })

/** A proxy that serves the server below the path and nothing else; it removes the path or keeps it. */
function createProxy(removes: boolean) {
  return createServer((request, response) => {
    const { headers, method, url = '' } = request
    if (url !== BASE && !url.startsWith(`${BASE}/`) && !url.startsWith(`${BASE}?`)) {
      response.writeHead(404).end('nothing here')
      return
    }
    const path = removes ? url.slice(BASE.length) || '/' : url
    const passed = sendRequest(server.url + path, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
}

const proxies = { removes: createProxy(true), keeps: createProxy(false) }
beforeAll(async () => {
  for (const proxy of Object.values(proxies)) await once(proxy.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const proxy of Object.values(proxies)) {
    proxy.closeAllConnections()
    proxy.close()
  }
})
const addressOf = (name: keyof typeof proxies) =>
  `http://127.0.0.1:${(proxies[name].address() as AddressInfo).port}${BASE}`

test.for(['removes', 'keeps'] as const)(
  'below a path the dashboard signs in, opens pages, reloads them and follows changes; the proxy %s the path',
  async (which, context) => {
    const url = addressOf(which)
    const key = `below-${which}`
    const flags = `/api/environments/${server.environments.production}/flags`
    await server.call('POST', flags, { key, is_enabled: false })
    const { page } = await visit(context, server, { as: null })
    const failed: string[] = []
    page.on('response', (response) => {
      // Before the login, and of a flag that other environments lack.
      const isExpected = [401, 404].includes(response.status())
      if (response.status() >= 400 && !isExpected) failed.push(response.url())
      if (!new URL(response.url()).pathname.startsWith(BASE)) failed.push(response.url())
    })

    const wanted = `/projects/${server.project_id}/environments/${server.environments.production}/flags/${key}`
    await page.goto(url + wanted)
    await page.getByLabel('E-mail').fill(ADMIN.email)
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: key }).waitFor()
    expect(page.url()).toBe(url + wanted)

    await page.reload()
    await page.getByRole('heading', { level: 1, name: key }).waitFor()
    await page.getByRole('link', { name: 'Flags', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
    const row = page.getByRole('switch', { name: key })
    expect(await row.isChecked()).toBe(false)
    await server.call('PATCH', `${flags}/${key}`, { is_enabled: true })
    await expect.poll(() => row.isChecked()).toBe(true)

    await page.getByRole('button', { name: 'Help' }).click()
    const docs = await page.getByRole('menuitem', { name: /API/ }).first().getAttribute('href')
    expect(docs).toBe(`${BASE}/api/docs`)
    expect(failed).toEqual([])
  },
)

test('below a path SDKs, health checks and links of the server work', async () => {
  const url = addressOf('keeps')
  const client = createClient({ url, sdkKey: SDK_KEY })
  await client.connect({ timeoutMs: 10_000 })
  await client.close()
  for (const path of ['/health', '/ready', '/burgee-sdk.tgz', '?a=1', '/', '']) {
    expect({ path, status: (await fetch(url + path)).status }).toEqual({ path, status: 200 })
  }
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  // Only whole segments are the path.
  expect((await fetch(`${server.url}${BASE}x/health`)).status).toBe(404)
  expect((await fetch(`${server.url}${BASE}/api/nothing`)).status).toBe(404)
})
