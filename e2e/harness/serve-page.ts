import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** The modules of the site, by path. */
const MODULES: Readonly<Record<string, URL>> = {
  '/sdk.js': new URL('../../packages/sdk/dist/browser.min.js', import.meta.url),
  '/values.js': new URL('../../packages/sdk/dist/values.min.js', import.meta.url),
  '/devtools.js': new URL('../../packages/devtools/dist/index.js', import.meta.url),
}

/**
 * Serves a web site with one page, the modules of the SDK and an empty page to go to. Returns its origin.
 */
export async function servePage(html: string): Promise<string> {
  const bundles = new Map<string | undefined, Buffer>()
  for (const [path, file] of Object.entries(MODULES)) bundles.set(path, await readFile(file))
  const server = createServer((request, response) => {
    const bundle = bundles.get(request.url)
    if (bundle) return response.setHeader('content-type', 'text/javascript').end(bundle)
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
