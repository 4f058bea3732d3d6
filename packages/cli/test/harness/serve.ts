import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server for the running test, with TLS where it has a certificate, and returns its address. */
export async function serve(
  listener: RequestListener,
  tls?: { readonly key: string; readonly cert: string },
): Promise<string> {
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`
}
