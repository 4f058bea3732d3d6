/**
 * Loaded into a server by a test: measures the turns of its event loop in processor time of the main thread,
 * which other processes of a busy machine do not lengthen. Each request to its own port returns the longest one
 * since the last request, in milliseconds.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

const NS_PER_MS = 1e6
const LOOK_EVERY_MS = 1
const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`
const PORT_FILE = process.env.LONGEST_TURN_PORT_FILE

/** Returns the processor time of the main thread according to Linux. */
const usedMs = () => Number(readFileSync(SCHEDSTAT, 'latin1').split(' ', 1)[0]) / NS_PER_MS

if (isMainThread && PORT_FILE !== undefined) measure(PORT_FILE)

/**
 * Serves the longest turn on a port of its own, which is written into a file.
 *
 * @param {string} portFile
 */
function measure(portFile) {
  let longestMs = 0
  let before = usedMs()
  // A timer runs in each turn that begins a millisecond after the last one.
  const look = () => {
    const now = usedMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
    setTimeout(look, LOOK_EVERY_MS).unref()
  }
  look()
  const server = createServer((_request, response) => {
    response.end(String(longestMs))
    longestMs = 0
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) writeFileSync(portFile, String(address.port))
  })
  server.unref()
}
