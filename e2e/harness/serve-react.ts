import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createClient } from '@burgee/sdk'
import { onTestFinished } from 'vitest'
import { type PageOptions, renderPage } from '../../packages/react/test/site/render-page.ts'
import { bundleProgram } from './bundle-program.ts'
import { createKeyFor } from './call-api.ts'
import type { Stage } from './open-stage.ts'
import { SDK_KEY } from './start-server.ts'

const ENTRY = fileURLToPath(new URL('../../packages/react/test/site/browser.ts', import.meta.url))

/**
 * Serves a site whose pages React renders on the server, with the flags of a connected client, and hydrates
 * in the browser with a client key. Returns a function that adds a page and returns its address.
 */
export async function serveReact(stage: Stage, url: string): Promise<(options: ServedPage) => string> {
  const script = await bundleProgram(stage, ENTRY)
  const { key } = await createKeyFor(url, 'production', 'client')
  const client = createClient({ url, sdkKey: SDK_KEY })
  await client.connect()
  const pages: ServedPage[] = []
  const site = createServer(({ url: path = '/' }, response) => {
    if (path === '/page.js') return response.setHeader('content-type', 'text/javascript').end(script)
    const options = pages[Number(path.slice(1))]
    if (!options) return response.writeHead(404).end()
    const html = renderPage(client, { ...options, url, sdkKey: key })
    return response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
  }).listen(0, '127.0.0.1')
  onTestFinished(async () => {
    site.closeAllConnections()
    site.close()
    await client.close()
  })
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  return (options) => `http://127.0.0.1:${port}/${pages.push(options) - 1}`
}

type ServedPage = Pick<PageOptions, 'user' | 'flagKeys' | 'isHydrated'>
