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
 * Gives the socket to the code that writes the response by hand. The response stays attached and unfinished,
 * so Node keeps counting it and queues what may still come after it. Its listeners are removed, so that what
 * they hold does not live as long as a stream.
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
  response.removeAllListeners()
  bypassParser(socket, destroySocket)
  socket.setTimeout(0)
  return socket
}

/** Returns whether nothing came after the request, and the responses to all earlier ones were sent. */
function isAlone(connection: OpenConnection, request: IncomingMessage, response: ServerResponse): boolean {
  const { failureCode, isTaken, lastRequest, socket } = connection
  const isLast = lastRequest === request && request.complete && failureCode === null
  return isLast && !isTaken && !socket.destroyed && response.socket === socket
}

function destroySocket(this: Socket): void {
  this.destroy()
}
