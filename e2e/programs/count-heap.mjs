/**
 * Loaded into a server by a test, with --expose-gc. Each request to its own port returns what is on the heap
 * after a collection: its bytes, the requests and responses, and the sockets with a parser.
 */
import { writeFileSync } from 'node:fs'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/** The collections, between which callbacks of what was collected run. */
const COLLECTIONS = 2
const PORT_FILE = process.env.COUNT_HEAP_PORT_FILE

if (isMainThread && PORT_FILE !== undefined) serveCounts(PORT_FILE)

/** @param {string} portFile */
function serveCounts(portFile) {
  const server = createServer(async (_request, response) => {
    for (let time = 0; time < COLLECTIONS; time++) {
      globalThis.gc?.()
      await nextTurn()
    }
    const counts = {
      heapBytes: process.memoryUsage().heapUsed,
      requests: queryObjects(IncomingMessage),
      responses: queryObjects(ServerResponse),
      // Node has no public list of them.
      parsers: /** @type {any} */ (process)._getActiveHandles().filter(({ parser }) => parser).length,
    }
    response.setHeader('connection', 'close').end(JSON.stringify(counts))
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) writeFileSync(portFile, String(address.port))
  })
  server.unref()
}
