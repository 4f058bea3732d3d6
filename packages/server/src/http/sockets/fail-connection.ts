import type { Socket } from 'node:net'
import { errorCode } from '../../platform/log/error-code.ts'
import { badHttpResponse } from './bad-http.ts'
import { endConnection } from './end-connection.ts'
import type { OpenConnection } from './open-connection.ts'

/** Handles bytes that are not HTTP, or that did not arrive in time. */
export function failConnection(connection: OpenConnection | undefined, error: Error, socket: Socket): void {
  const code = errorCode(error)
  if (!connection || connection.isTaken || code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (connection.failureCode !== null) return
  connection.failureCode = code ?? ''
  respondWithFailure(connection)
}

/**
 * Responds to invalid input after the responses to earlier requests. When the body of the last request is
 * invalid, this is its response, unless it already has one.
 */
export function respondWithFailure(connection: OpenConnection): void {
  const { failureCode, lastRequest, lastResponse, openRequests, socket } = connection
  const isBodyBroken = lastRequest !== null && !lastRequest.complete
  const responded = isBodyBroken && (openRequests === 0 || lastResponse?.headersSent === true)
  if (responded && openRequests === 0) socket.destroy()
  if (responded || openRequests !== (isBodyBroken ? 1 : 0) || !socket.writable) return
  endConnection(socket, badHttpResponse(failureCode ?? ''))
}
