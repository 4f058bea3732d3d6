import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { OpenConnection } from './connection-table.ts'
import { bypassParser } from './end-connection.ts'

/** Resolves when the answers to earlier requests of the connection are sent, or the connection is closed. */
export async function waitForTurn(response: ServerResponse): Promise<void> {
  const { socket } = response.req
  if (response.socket || socket.destroyed) return
  await new Promise<void>((resolve) => {
    response.once('socket', () => resolve())
    socket.once('close', () => resolve())
  })
}

/**
 * Gives the socket to whoever writes the answer by hand. The response stays attached and unfinished: Node goes on
 * counting it, and queues what might still come behind it. Its listeners go, so that what they hold is not kept for as
 * long as a stream lives.
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

/** Nothing came behind the request, and the answers to all before it are sent. */
function isAlone(connection: OpenConnection, request: IncomingMessage, response: ServerResponse): boolean {
  const { failureCode, isTaken, lastRequest, socket } = connection
  const isLast = lastRequest === request && request.complete && failureCode === null
  return isLast && !isTaken && !socket.destroyed && response.socket === socket
}

function destroySocket(this: Socket): void {
  this.destroy()
}
