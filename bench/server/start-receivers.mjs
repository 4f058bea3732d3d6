import { createServer } from 'node:http'
import { monotonicMs } from '../harness/monotonic-ms.mjs'

const LOOK_EVERY_MS = 20

/**
 * Starts receivers of webhooks in this process: one that responds at once, and one that accepts requests and
 * never responds.
 */
export async function startReceivers() {
  let delivered = []
  const living = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const atMs = monotonicMs()
      response.writeHead(204).end()
      const { flag } = JSON.parse(Buffer.concat(chunks).toString()).data
      delivered.push({ path: request.url, atMs, description: flag?.description })
    })
  })
  const hanging = createServer((request) => request.resume())
  await Promise.all([living, hanging].map(listen))
  return {
    url: (path) => `http://127.0.0.1:${portOf(living)}${path}`,
    hangingUrl: (path) => `http://127.0.0.1:${portOf(hanging)}${path}`,
    clear() {
      delivered = []
    },
    /**
     * Resolves with the events that arrived below the path, once there are `wanted`: `{ path, atMs,
     * description }`.
     */
    async untilDelivered(path, wanted, withinMs) {
      const giveUpAt = monotonicMs() + withinMs
      for (;;) {
        const found = delivered.filter((each) => each.path.startsWith(path))
        if (found.length >= wanted) return found
        if (monotonicMs() > giveUpAt)
          throw new Error(`${found.length} of ${wanted} arrived within ${withinMs} ms`)
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    },
    async close() {
      for (const server of [living, hanging]) server.closeAllConnections()
      await Promise.all([living, hanging].map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

const listen = (server) =>
  new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))

function portOf(server) {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver does not listen')
  return address.port
}
