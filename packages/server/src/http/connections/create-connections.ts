import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorCode } from '../../platform/error-code.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createAddressCounts } from './address-counts.ts'
import { answerDirectly } from './answer-directly.ts'
import { badHttpAnswer } from './bad-http.ts'
import type { ConnectionBudget } from './connection-budget.ts'
import { type ConnectionTable, createConnectionTable, type OpenConnection } from './connection-table.ts'
import { bypassParser, endConnection } from './end-connection.ts'
import { findHostProblem } from './host-header.ts'
import { measureConnections } from './measure-connections.ts'
import { startSweeping } from './sweep-connections.ts'

/** What stands between Node's HTTP server and the framework: limits of connections, and sockets that streams own. */
export interface Connections {
  /** Watches the server's connections. To be called once, before it listens. */
  attach(server: Server): void
  /** Judges a request before anything else does; false: it is answered or its connection is closed. */
  admitRequest(request: IncomingMessage, response: ServerResponse): boolean
  /** Counts a request for the client's address that a proxy forwards; false when that address has too many open. */
  admitForwarded(request: IncomingMessage, response: ServerResponse, readAddress: () => string): boolean
  /** What Node's parser could not read, or got too late. */
  onClientError(error: Error, socket: Socket): void
  /** Resolves when the answers to earlier requests of the connection are sent, or the connection is closed. */
  waitForTurn(response: ServerResponse): Promise<void>
  /**
   * Gives the socket of a request to its caller for good: its answer is written by hand, and the next byte that comes
   * over it closes it. null when the caller has left or has sent more than this request; the connection is closed then.
   */
  takeSocket(request: IncomingMessage, response: ServerResponse): Socket | null
}

export interface ConnectionsDeps {
  readonly log: Log
  readonly metrics: Metrics
  readonly budget: ConnectionBudget
  readonly maxPerAddress: number
  readonly isProxy: (address: string) => boolean
}

/** Requests of one connection that are not answered yet; a client that pipelines sends some ten. */
const MAX_OPEN_REQUESTS = 128
const RETRY_AFTER_SECONDS = 5
/** Served also when every ordinary connection is in use. */
const OPERATOR_PATHS = /^\/(?:health|ready|metrics)(?:\?|$)/
const TOO_MANY = {
  error: 'The server has as many connections as it may have. Try again later.',
  retry_after_seconds: RETRY_AFTER_SECONDS,
}

export function createConnections(deps: ConnectionsDeps): Connections {
  const { budget, isProxy, log, maxPerAddress, metrics } = deps
  const addresses = createAddressCounts(maxPerAddress)
  const release = (address: string) => addresses.leave(address)
  const table = createConnectionTable({
    budget,
    addresses,
    isProxy,
    onRefused: (reason) => onRefused({ reason }, 1),
    onClosed: ({ forwarded }) => forwarded?.forEach(release),
  })
  const onRefused = measureConnections(metrics, table, budget)

  /** One function for all responses: this runs for every request. */
  function onResponseClose(this: ServerResponse): void {
    const connection = table.find(this.req.socket)
    if (!connection) return
    connection.openRequests -= 1
    const address = connection.forwarded?.get(this)
    if (address !== undefined) {
      connection.forwarded?.delete(this)
      release(address)
    }
    if (connection.failureCode !== null) settleFailure(connection)
    else if (connection.openRequests === 0) table.setIdle(connection, true)
  }

  return {
    attach(server) {
      server.on('connection', (socket) => {
        if (!table.admit(socket)) socket.destroy()
      })
      // Accepting can fail, for want of descriptors: without a listener that would end the process.
      server.on('error', (err) => server.listening && log.warn({ err }, 'a connection could not be accepted'))
      server.on('timeout', (socket) => onInactive(table.find(socket), socket))
      startSweeping(server, table)
    },
    admitRequest(request, response) {
      const connection = table.find(request.socket)
      if (!connection || !mayContinue(connection)) {
        request.socket.destroy()
        return false
      }
      connection.openRequests += 1
      connection.lastRequest = request
      connection.lastResponse = response
      table.setIdle(connection, false)
      response.on('close', onResponseClose)
      return isServed(table, connection, () => onRefused({ reason: 'reserve' }, 1))
    },
    admitForwarded(request, response, readAddress) {
      const connection = table.find(request.socket)
      // A caller that is no proxy is counted by its connections.
      if (!connection || connection.address !== null || OPERATOR_PATHS.test(request.url ?? '')) return true
      const group = readAddress()
      if (!addresses.enter(group)) {
        onRefused({ reason: 'address' }, 1)
        return false
      }
      connection.forwarded ??= new Map()
      connection.forwarded.set(response, group)
      return true
    },
    onClientError(error, socket) {
      const connection = table.find(socket)
      if (!connection || connection.isTaken || errorCode(error) === 'ECONNRESET' || !socket.writable) {
        socket.destroy()
        return
      }
      if (connection.failureCode !== null) return
      connection.failureCode = errorCode(error) ?? ''
      settleFailure(connection)
    },
    async waitForTurn(response) {
      const { socket } = response.req
      if (response.socket || socket.destroyed) return
      await new Promise<void>((resolve) => {
        response.once('socket', () => resolve())
        socket.once('close', () => resolve())
      })
    },
    takeSocket(request, response) {
      const { socket } = request
      const connection = table.find(socket)
      if (!connection || !isAlone(connection, request, response)) {
        socket.destroy()
        return null
      }
      connection.isTaken = true
      own(socket, response)
      return socket
    },
  }
}

const mayContinue = ({ failureCode, isTaken, openRequests }: OpenConnection): boolean =>
  !isTaken && failureCode === null && openRequests < MAX_OPEN_REQUESTS

/** False: answered here. */
function isServed(table: ConnectionTable, connection: OpenConnection, onReserve: () => void): boolean {
  const { lastRequest: request, lastResponse: response } = connection
  if (!request || !response) return false
  const problem = findHostProblem(request.rawHeaders, request.httpVersion)
  if (problem !== null) {
    answerDirectly(response, 400, { error: problem })
    return false
  }
  // What comes right behind a request for another protocol is lost in Node's parser, which takes it for that protocol.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
  if (!connection.isReserve || !table.isFull()) return true
  // Whoever waits for a place in the reserve shall not wait for this connection.
  response.shouldKeepAlive = false
  if (OPERATOR_PATHS.test(request.url ?? '')) return true
  onReserve()
  answerDirectly(response, 503, TOO_MANY)
  return false
}

/** Nothing moves on the connection: it is closed, unless it waits for an answer that this server has not begun. */
function onInactive(connection: OpenConnection | undefined, socket: Socket): void {
  const { lastRequest, lastResponse, openRequests = 0 } = connection ?? {}
  const isWorking = openRequests > 0 && lastRequest?.complete === true && lastResponse?.headersSent === false
  if (isWorking) socket.setTimeout(socket.timeout ?? 0)
  else socket.destroy()
}

/**
 * Answers what could not be read when its turn has come: behind the answers to the requests before it. Where the body of
 * the last request is what could not be read, that is its answer, unless it has been answered already.
 */
function settleFailure({
  failureCode,
  lastRequest,
  lastResponse,
  openRequests,
  socket,
}: OpenConnection): void {
  const isBodyBroken = lastRequest !== null && !lastRequest.complete
  const isAnswered = isBodyBroken && (openRequests === 0 || lastResponse?.headersSent === true)
  if (isAnswered && openRequests === 0) socket.destroy()
  if (isAnswered || openRequests !== (isBodyBroken ? 1 : 0) || !socket.writable) return
  endConnection(socket, badHttpAnswer(failureCode ?? ''))
}

/** Nothing came behind the request, and the answers to all before it are sent. */
function isAlone(connection: OpenConnection, request: IncomingMessage, response: ServerResponse): boolean {
  const { failureCode, isTaken, lastRequest, socket } = connection
  return (
    !socket.destroyed &&
    !isTaken &&
    failureCode === null &&
    lastRequest === request &&
    request.complete &&
    response.socket === socket
  )
}

/**
 * The response stays attached and unfinished: Node goes on counting it, and queues what might still come behind it. Its
 * listeners go, so that what they hold is not kept for as long as the stream lives.
 */
function own(socket: Socket, response: ServerResponse): void {
  response.removeAllListeners()
  bypassParser(socket, destroySocket)
  socket.setTimeout(0)
}

function destroySocket(this: Socket): void {
  this.destroy()
}
