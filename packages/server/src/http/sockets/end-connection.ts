import type { Socket } from 'node:net'

/** The time that a client has to read the last response of its connection. */
const LAST_RESPONSE_MS = 1_000

/** Sends the last response of a connection, and then closes it. */
export function endConnection(socket: Socket, response: string): void {
  socket.end(response, 'latin1')
  closeAfterReading(socket)
}

/**
 * Lets Node close the connection in the same way after a response with `Connection: close`. By default Node
 * destroys the socket as soon as the response is written.
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
 * Waits for the client to close the connection, for at most a second. Closing at once would reset the
 * connection while bytes of the client are unread, and the response could be lost (RFC 9112, section 9.6).
 * Those bytes are dropped.
 */
function closeAfterReading(socket: Socket): void {
  bypassParser(socket, () => undefined)
  const timer = setTimeout(() => socket.destroy(), LAST_RESPONSE_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** Sends the bytes of this socket to `onData` instead of Node's HTTP parser from now on. */
export function bypassParser(socket: Socket, onData: (this: Socket) => void): void {
  socket.removeAllListeners('data')
  // Adding a listener takes the socket from the parser.
  socket.on('data', onData)
  socket.resume()
}
