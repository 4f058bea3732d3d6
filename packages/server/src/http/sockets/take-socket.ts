import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { bypassParser } from './end-connection.ts'
import type { OpenConnection } from './open-connection.ts'

/**
 * Resolves when the responses to earlier requests of the connection were sent, or the connection is closed.
 */
export async function waitForTurn(response: ServerResponse): Promise<void> {
  const { socket } = response.req
  if (response.socket || socket.destroyed) return
  await new Promise<void>((resolve) => {
    response.once('socket', () => resolve())
    socket.once('close', () => resolve())
  })
}

/**
 * Gives the socket to the code that writes the response by hand. Its request, response and parser end here:
 * what they hold does not live as long as a stream.
 */
export function takeSocket(
  connection: OpenConnection | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Socket | null {
  const { socket } = request
  if (!connection || !isAlone(connection, request, response)) {
    socket.destroy()
    return null
  }
  connection.isTaken = true
  forgetRequest(connection, response)
  detachParser(socket, response)
  socket.setTimeout(0)
  return socket
}

/** Keeps only what is counted until the connection closes. */
function forgetRequest(connection: OpenConnection, response: ServerResponse): void {
  connection.lastRequest = null
  connection.lastResponse = null
  connection.queued = null
  const forwarded = connection.forwarded?.get(response)
  connection.forwarded = null
  if (forwarded) connection.taker = forwarded
}

/**
 * Lets Node end its part of the connection, as after a whole response and a closed socket: only its own
 * listeners for both can reach the requests that it counts, and its parser. The bytes are taken from the
 * parser before. A version of Node that names its listeners otherwise keeps all of it until the connection
 * closes.
 */
function detachParser(socket: Socket, response: ServerResponse): void {
  const onFinish = findListener(response, 'finish', 'resOnFinish')
  const onClose = findListener(socket, 'close', 'socketOnClose')
  bypassParser(socket, destroySocket)
  if (onFinish && onClose) {
    response.removeAllListeners()
    onFinish.call(response)
    onClose.call(socket)
    socket.removeListener('close', onClose)
    for (const event of PARSER_EVENTS) socket.removeAllListeners(event)
  }
  socket.on('end', destroySocket)
}

/** Finds a listener of Node by the name of its function, which it binds to the connection. */
function findListener(emitter: EventEmitter, event: string, name: string): Listener | undefined {
  const found = emitter.listeners(event).find((listener) => listener.name === `bound ${name}`)
  // The type of all listeners states less than that of those that are added.
  return found as Listener | undefined
}
type Listener = (this: unknown) => void

/** The events of a socket whose listeners belong to Node's parser. */
const PARSER_EVENTS = ['end', 'drain', 'pause', 'resume']

/** Returns whether nothing came after the request, and the responses to all earlier ones were sent. */
function isAlone(connection: OpenConnection, request: IncomingMessage, response: ServerResponse): boolean {
  const { failureCode, isTaken, lastRequest, socket } = connection
  const isLast = lastRequest === request && request.complete && failureCode === null
  return isLast && !isTaken && !socket.destroyed && response.socket === socket
}

function destroySocket(this: Socket): void {
  this.destroy()
}
