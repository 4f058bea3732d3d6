/**
 * A process that does the least that a fan-out can be: it accepts streams, and writes one buffer to every
 * socket when its parent states it. It is what a change to the last stream is compared with.
 */
import { createServer } from 'node:net'

const READY = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: ready\ndata: 1\n\n\r\n'
/** The size of an update of one flag. */
const UPDATE_BYTES = 500

const sockets = new Set()
const server = createServer({ noDelay: true }, (socket) => {
  sockets.add(socket)
  socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  socket.resume().write(READY)
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => process.send(server.address()))
process.on('message', (mark) => {
  const update = Buffer.from(`data: ${String(mark).padEnd(UPDATE_BYTES)}\n\n\r\n`)
  for (const socket of sockets) socket.write(update)
})
process.on('disconnect', () => process.exit(0))
