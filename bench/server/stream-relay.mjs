/**
 * A process that does the least that a fan-out to SDK clients can be: it reads one stream of a server, gives
 * its own clients the same bootstrap, keeps each change, and writes it to every socket when its parent states
 * so. It reports the moment at which it begins.
 */
import { connect, createServer } from 'node:net'
import { performance } from 'node:perf_hooks'

const [, , port, sdk_key] = process.argv
const BOOTSTRAP_END = /event: ready\ndata: \d+\n\n\r\n/
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n'

const sockets = new Set()
const writeAll = (bytes) => {
  for (const socket of sockets) socket.write(bytes)
}
let bootstrap = ''
let isReady = false
let kept = []

const upstream = connect({ port: Number(port), host: '127.0.0.1' })
upstream.write(
  `GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${sdk_key}\r\n\r\n`,
)
upstream.on('data', (bytes) => {
  if (isReady) {
    // What is no change keeps connections alive.
    if (bytes.includes('data: ')) kept.push(bytes)
    else writeAll(bytes)
    return
  }
  bootstrap += bytes.toString('latin1')
  isReady = BOOTSTRAP_END.test(bootstrap)
  if (isReady) server.listen(0, '127.0.0.1', () => process.send(server.address()))
})

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  socket.on('data', (bytes) => {
    const isStream = bytes.toString('latin1').startsWith('GET /stream')
    socket.write(isStream ? bootstrap : NO_CONTENT, 'latin1')
    if (isStream) sockets.add(socket)
  })
})

process.on('message', () => {
  const bytes = Buffer.concat(kept)
  kept = []
  const from = performance.timeOrigin + performance.now()
  writeAll(bytes)
  process.send(from)
})
process.on('disconnect', () => process.exit(0))
