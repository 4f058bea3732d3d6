import type { Socket } from 'node:net'
import { errorCode } from '../../platform/error-code.ts'
import { badHttpAnswer } from './bad-http.ts'
import type { OpenConnection } from './connection-table.ts'
import { endConnection } from './end-connection.ts'

/** Something came over the connection that is no HTTP, or did not come in time. */
export function failConnection(connection: OpenConnection | undefined, error: Error, socket: Socket): void {
  const code = errorCode(error)
  if (!connection || connection.isTaken || code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (connection.failureCode !== null) return
  connection.failureCode = code ?? ''
  answerFailure(connection)
}

/**
 * Answers what could not be read when its turn has come: behind the answers to the requests before it. Where the body of
 * the last request is what could not be read, that is its answer, unless it has been answered already.
 */
export function answerFailure(connection: OpenConnection): void {
  const { failureCode, lastRequest, lastResponse, openRequests, socket } = connection
  const isBodyBroken = lastRequest !== null && !lastRequest.complete
  const isAnswered = isBodyBroken && (openRequests === 0 || lastResponse?.headersSent === true)
  if (isAnswered && openRequests === 0) socket.destroy()
  if (isAnswered || openRequests !== (isBodyBroken ? 1 : 0) || !socket.writable) return
  endConnection(socket, badHttpAnswer(failureCode ?? ''))
}
