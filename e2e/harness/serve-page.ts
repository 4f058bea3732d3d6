import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

const SDK_BUNDLE = new URL('../../packages/sdk/dist/browser.min.js', import.meta.url)

/**
 * Serves a web site with one page, the SDK's browser bundle and an empty page to go to. Returns its origin.
 */
export async function servePage(html: string): Promise<string> {
  const bundle = await readFile(SDK_BUNDLE)
  const server = createServer((request, response) => {
    if (request.url === '/sdk.js') return response.setHeader('content-type', 'text/javascript').end(bundle)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    return response.end(request.url === '/' ? html : '<!doctype html><title>elsewhere</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}
