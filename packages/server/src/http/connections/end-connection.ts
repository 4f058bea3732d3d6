import type { Socket } from 'node:net'

/** The time that a client has to read the last response of its connection. */
const LAST_RESPONSE_MS = 1_000

/** Sends the last response of a connection and closes the connection after it. */
export function endConnection(socket: Socket, response: string): void {
  socket.end(response, 'latin1')
  closeAfterReading(socket)
}

/**
 * Lets Node close the connection of a response with `Connection: close` in the same way. Node itself destroys the socket
 * as soon as the response is written.
 */
export function closeGently(socket: Socket): void {
  socket.destroySoon = destroySoon
}

/** One function for all sockets. */
function destroySoon(this: Socket): void {
  if (this.writable) this.end()
  closeAfterReading(this)
}

/**
 * Waits for the client to close the connection, for a second at most. Closing at once would reset the connection while
 * bytes of the client are unread, and the response could be lost (RFC 9112, section 9.6). Those bytes are dropped.
 */
function closeAfterReading(socket: Socket): void {
  bypassParser(socket, () => undefined)
  const timer = setTimeout(() => socket.destroy(), LAST_RESPONSE_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** From now on the bytes of this socket go to `onData` and not to Node's HTTP parser. */
export function bypassParser(socket: Socket, onData: (this: Socket) => void): void {
  socket.removeAllListeners('data')
  // Adding a listener is what takes the socket from the parser.
  socket.on('data', onData)
  socket.resume()
}
