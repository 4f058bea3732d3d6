import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressCounts } from './address-counts.ts'
import type { ConnectionRefusal, ConnectionTable } from './connection-table.ts'
import { respondWithFailure } from './fail-connection.ts'
import { findHostProblem } from './host-header.ts'
import type { ForwardedRequest, OpenConnection } from './open-connection.ts'
import { respondDirectly } from './respond-directly.ts'

export interface RequestGate {
  /** Checks a request before everything else. False means that it was refused or its connection closed. */
  admitRequest(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Counts a request for the client's address from a proxy. False when that address has too many open
   * requests, or too many without an accepted credential.
   */
  admitForwarded(request: IncomingMessage, response: ServerResponse, readAddress: () => string): boolean
  /** Notes that the credential of a request was accepted. */
  acceptCredential(request: IncomingMessage): void
}

interface GateDeps {
  readonly table: ConnectionTable
  readonly addresses: AddressCounts
  /** Open requests from proxies of each client address whose credential was not accepted. */
  readonly unaccepted: AddressCounts
  readonly onRefused: (reason: ConnectionRefusal) => void
}

/** The number of pending requests of a connection. A client that pipelines sends about ten. */
const MAX_OPEN_REQUESTS = 128
const RETRY_AFTER_SECONDS = 5
/** The paths that are served also when every ordinary connection is used. */
const OPERATOR_PATHS = /^\/(?:health|ready|metrics)(?:\?|$)/
const ALL_IN_USE = {
  error: 'The server has reached its limit of connections. Try again later.',
  retry_after_seconds: RETRY_AFTER_SECONDS,
}

/**
 * Creates the gate, which counts the requests of each connection and refuses those that must not reach the
 * framework.
 */
export function createRequestGate({ addresses, onRefused, table, unaccepted }: GateDeps): RequestGate {
  const leaveForwarded = leaverOf({ addresses, unaccepted })

  /** One function for all responses, because it runs for every request. */
  function onResponseClose(this: ServerResponse): void {
    const connection = table.find(this.req.socket)
    if (!connection) return
    connection.openRequests -= 1
    connection.queued?.delete(this)
    const forwarded = connection.forwarded?.get(this)
    if (forwarded !== undefined) {
      connection.forwarded?.delete(this)
      leaveForwarded(forwarded)
    }
    if (connection.failureCode !== null) respondWithFailure(connection)
    else if (connection.openRequests === 0) table.setIdle(connection, true)
  }

  return {
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
      if (connection.address === null) connection.isAccepted = false
      if (hasBody(request)) table.setArriving(connection)
      if (!response.socket) {
        connection.queued ??= new Set()
        connection.queued.add(response)
      }
      response.on('close', onResponseClose)
      if (isRefused(request, response)) return false
      if (!connection.isReserve || !table.isFull()) return true
      return isServedFromReserve(request, response, onRefused)
    },
    admitForwarded(request, response, readAddress) {
      const connection = table.find(request.socket)
      // A caller that is not a proxy is counted by its connections.
      if (!connection || connection.address !== null || OPERATOR_PATHS.test(request.url ?? '')) return true
      const address = readAddress()
      if (!addresses.enter(address)) {
        onRefused('address')
        return false
      }
      if (!unaccepted.enter(address)) {
        addresses.leave(address)
        onRefused('address')
        return false
      }
      connection.forwarded ??= new Map()
      connection.forwarded.set(response, { address, isAccepted: false })
      return true
    },
    acceptCredential(request) {
      const connection = table.find(request.socket)
      if (!connection) return
      table.accept(connection)
      for (const [response, forwarded] of connection.forwarded ?? []) {
        if (response.req !== request || forwarded.isAccepted) continue
        forwarded.isAccepted = true
        unaccepted.leave(forwarded.address)
      }
    },
  }
}

/** Creates the function that no longer counts a forwarded request. */
export const leaverOf =
  ({ addresses, unaccepted }: Pick<GateDeps, 'addresses' | 'unaccepted'>) =>
  ({ address, isAccepted }: ForwardedRequest): void => {
    addresses.leave(address)
    if (!isAccepted) unaccepted.leave(address)
  }

/** Returns whether a request has a body, by its headers (RFC 9112, section 6). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] !== undefined && headers['content-length'] !== '0') ||
  headers['transfer-encoding'] !== undefined

const mayContinue = ({ failureCode, isTaken, openRequests }: OpenConnection): boolean =>
  !isTaken && failureCode === null && openRequests < MAX_OPEN_REQUESTS

function isRefused(request: IncomingMessage, response: ServerResponse): boolean {
  const problem = findHostProblem(request.rawHeaders, request.httpVersion)
  if (problem !== null) respondDirectly(response, 400, { error: problem })
  // Bytes after a request for another protocol are lost: Node's parser takes them for that protocol.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
  return problem !== null
}

function isServedFromReserve(
  request: IncomingMessage,
  response: ServerResponse,
  onRefused: GateDeps['onRefused'],
): boolean {
  // Others wait for a place in the reserve.
  response.shouldKeepAlive = false
  if (OPERATOR_PATHS.test(request.url ?? '')) return true
  onRefused('reserve')
  respondDirectly(response, 503, ALL_IN_USE)
  return false
}
