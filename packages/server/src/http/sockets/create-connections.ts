import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../platform/log/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { createAddressCounts } from './address-counts.ts'
import { createRequestGate, leaverOf, type RequestGate } from './admit-request.ts'
import type { ConnectionBudget } from './connection-budget.ts'
import { createConnectionTable } from './connection-table.ts'
import { closeGently } from './end-connection.ts'
import { failConnection } from './fail-connection.ts'
import { measureConnections } from './measure-connections.ts'
import { closeWhenInactive, startSweeping } from './sweep-connections.ts'
import { takeSocket, waitForTurn } from './take-socket.ts'

/**
 * The layer between Node's HTTP server and the framework: limits of connections, and sockets that streams
 * own.
 */
export interface Connections extends RequestGate {
  /** Watches the connections of the server. Call it once, before it listens. */
  attach(server: Server): void
  /** Handles input that Node's parser could not read, or that was late. */
  onClientError(error: Error, socket: Socket): void
  /**
   * Resolves when the responses to earlier requests of the connection were sent, or the connection is closed.
   */
  waitForTurn(response: ServerResponse): Promise<void>
  /**
   * Gives the socket of a request to the caller for good: the response is written by hand, and any further
   * byte from the client closes it. Null, with the connection closed, when the client has left or has sent
   * more than this request.
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

/**
 * Closes queued responses. Node reports a closed connection only to the response whose turn it is; those
 * behind it would never emit `close`, and whatever waits for that would leak.
 */
function closeQueued(queued: ReadonlySet<ServerResponse> | null): void {
  for (const response of queued ?? []) {
    if (response.socket) continue
    response.destroy()
    response.emit('close')
  }
}

export function createConnections(deps: ConnectionsDeps): Connections {
  const { budget, isProxy, log, maxPerAddress, metrics } = deps
  const addresses = createAddressCounts(maxPerAddress)
  // No address can take more than its half without a credential, so others always get in.
  const maxUnaccepted = Math.max(1, Math.floor(budget.ordinary / 2))
  const unaccepted = createAddressCounts(maxUnaccepted)
  const leaveForwarded = leaverOf({ addresses, unaccepted })
  const table = createConnectionTable({
    budget,
    addresses,
    maxUnaccepted,
    isProxy,
    onRefused: (reason) => onRefused({ reason }, 1),
    onClosed: ({ forwarded, queued, taker }) => {
      forwarded?.forEach(leaveForwarded)
      if (taker) leaveForwarded(taker)
      closeQueued(queued)
    },
  })
  const onRefused = measureConnections(metrics, table, budget)
  return {
    ...createRequestGate({ table, addresses, unaccepted, onRefused: (reason) => onRefused({ reason }, 1) }),
    attach(server) {
      server.on('connection', (socket) => {
        if (table.admit(socket)) closeGently(socket)
        else socket.destroy()
      })
      // Accepting can fail for want of descriptors; without a listener that would end the process.
      server.on('error', (err) => server.listening && log.warn({ err }, 'a connection could not be accepted'))
      server.on('timeout', (socket) => closeWhenInactive(table.find(socket), socket))
      startSweeping(server, table)
    },
    onClientError: (error, socket) => failConnection(table.find(socket), error, socket),
    waitForTurn,
    takeSocket: (request, response) => takeSocket(table.find(request.socket), request, response),
  }
}
