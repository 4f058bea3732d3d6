import { openSocket, type RawSocket } from '../../../packages/server/test/harness/open-socket.ts'
import { bearer, callApi, environmentOf } from '../../harness/call-api.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const MAX_CONNECTIONS = { short: 100, full: 1_000 }
/** The addresses of this machine from which the connections come, and what each of them sends. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4']
const ASKED = 20
const HEAD = 'Host: x\r\nContent-Type: application/json\r\n'

export const fault: Fault = {
  group: 'connections',
  title:
    'Three addresses hold unfinished heads and bodies, each as many as MAX_CONNECTIONS, some with a valid key',
  promise:
    'One address holds at most half of the connections without a valid key. Requests, streams and `/health` of another address work as before.',
  async run(stage, scale) {
    const max = MAX_CONNECTIONS[scale]
    const server = await startServer(stage, {
      databaseUrl: await createSharedDatabase(),
      env: { MAX_CONNECTIONS: String(max) },
    })
    const environmentId = await environmentOf(server.url)
    const texts = [
      `POST /api/auth/login HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n{`,
      `GET / HTTP/1.1\r\n${HEAD}X-Slow: `,
      `POST /api/environments/${environmentId}/impressions HTTP/1.1\r\n${HEAD}Authorization: Bearer ${SDK_KEY}\r\nContent-Length: 1000\r\n\r\n[`,
    ]
    const broken: string[] = []
    const sockets: RawSocket[] = []
    let slowestMs = 0
    for (const [at, address] of ADDRESSES.entries()) {
      const own: RawSocket[] = []
      while (own.length < max) {
        const socket = await openSocket(server.url, address)
        socket.send(texts[at] ?? '')
        own.push(socket)
      }
      sockets.push(...own)
      for (let nth = 0; nth < ASKED; nth += 1) {
        const startedMs = performance.now()
        // A kept connection is idle between requests, and idle ones are closed first.
        for (const path of ['/health', '/flags/snapshot']) {
          const headers = { ...bearer(SDK_KEY), connection: 'close' }
          const { status } = await callApi(server.url, 'GET', path, undefined, headers)
          if (status !== 200) broken.push(`${path} returned ${status}`)
        }
        slowestMs = Math.max(slowestMs, performance.now() - startedMs)
      }
      const left = own.filter((socket) => !socket.isClosed()).length
      const hasKey = texts[at]?.includes(SDK_KEY)
      if (!hasKey && left > max / 2) broken.push(`${address} held ${left} of ${max} connections`)
      const stream = await openSocket(server.url)
      stream.send(`GET /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SDK_KEY}\r\n\r\n`)
      await stream.until(/event: ready/)
      stream.destroy()
    }
    const closed = sockets.filter((socket) => socket.isClosed()).length
    for (const socket of sockets) socket.destroy()
    await server.stop()
    return {
      times: `${sockets.length.toLocaleString('en-US')} connections, ${max.toLocaleString('en-US')} allowed`,
      seen: `${closed.toLocaleString('en-US')} were closed to make room; slowest request ${Math.round(slowestMs)} ms`,
      broken,
    }
  },
}
