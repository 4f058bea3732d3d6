import type { Socket } from 'node:net'

/** For how long a caller may take the last answer of its connection. */
const LAST_ANSWER_MS = 1_000

/**
 * Sends the last answer of a connection and closes it. Closing at once would reset the connection while bytes of the
 * caller are unread, and the answer could be lost on the way (RFC 9112, section 9.6): so the rest is read and dropped,
 * for a second at most.
 */
export function endConnection(socket: Socket, answer: string): void {
  bypassParser(socket, () => undefined)
  socket.end(answer, 'latin1')
  setTimeout(() => socket.destroy(), LAST_ANSWER_MS).unref()
}

/** From now on the bytes of this socket go to `onData` and not to Node's HTTP parser. */
export function bypassParser(socket: Socket, onData: (this: Socket) => void): void {
  socket.removeAllListeners('data')
  // Adding a listener is what takes the socket from the parser.
  socket.on('data', onData)
  socket.resume()
}
