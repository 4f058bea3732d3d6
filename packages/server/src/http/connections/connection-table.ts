import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { countedNetwork } from '../../platform/client-address.ts'
import type { AddressCounts } from './address-counts.ts'
import type { ConnectionBudget } from './connection-budget.ts'

/** A connection of the HTTP server, from the moment it is accepted until its socket is closed. */
export interface OpenConnection {
  readonly socket: Socket
  /** Beyond the ordinary connections: only health, readiness and metrics are served. */
  readonly isReserve: boolean
  /** Counted for its address; null where the caller is a proxy. */
  readonly address: string | null
  openRequests: number
  lastRequest: IncomingMessage | null
  lastResponse: ServerResponse | null
  /** A stream owns the socket. */
  isTaken: boolean
  /** The code of the parser's error that is answered after the requests before it. */
  failureCode: string | null
  /** Sweeps in a row that found a complete answer which the caller has not taken yet. */
  stuckSweeps: number
  /** Responses that wait for the responses to earlier requests of the connection; null when none ever waited. */
  queued: Set<ServerResponse> | null
  /** Behind a proxy: the clients' addresses of the open requests. */
  forwarded: Map<ServerResponse, string> | null
}

/** `limit`: no room at all. `address`: its address has too many. `evicted`: idle, closed for a newer connection. */
export type ConnectionRefusal = 'limit' | 'address' | 'evicted' | 'reserve'

export interface ConnectionTable {
  /** Registers a connection; null when there is no room for it. */
  admit(socket: Socket): OpenConnection | null
  find(socket: Socket): OpenConnection | undefined
  /** Between requests, or before the first one: may be closed when room is needed. The longest idle goes first. */
  setIdle(connection: OpenConnection, isIdle: boolean): void
  isFull(): boolean
  all(): Iterable<OpenConnection>
  counts(): { readonly open: number; readonly idle: number }
}

interface TableDeps {
  readonly budget: ConnectionBudget
  readonly addresses: AddressCounts
  readonly isProxy: (address: string) => boolean
  readonly onRefused: (reason: ConnectionRefusal) => void
  readonly onClosed: (connection: OpenConnection) => void
}

export function createConnectionTable(deps: TableDeps): ConnectionTable {
  const { addresses, budget, isProxy, onClosed, onRefused } = deps
  const open = new Map<Socket, OpenConnection>()
  const idle = new Set<OpenConnection>()

  function remove(socket: Socket): void {
    const connection = open.get(socket)
    if (!connection) return
    open.delete(socket)
    idle.delete(connection)
    if (connection.address !== null) addresses.leave(connection.address)
    onClosed(connection)
  }

  function evictOldestIdle(): void {
    const [oldest] = idle
    if (!oldest) return
    // Now, and not when its socket is closed: connections are accepted many at a time.
    remove(oldest.socket)
    oldest.socket.destroy()
    onRefused('evicted')
  }

  function findRefusal(address: string | null): ConnectionRefusal | null {
    if (address !== null && !addresses.enter(address)) return 'address'
    if (open.size >= budget.ordinary) evictOldestIdle()
    if (open.size < budget.total) return null
    if (address !== null) addresses.leave(address)
    return 'limit'
  }

  /** One function for all sockets: a closure for each would be kept for as long as a stream lives. */
  function onSocketClose(this: Socket): void {
    remove(this)
  }

  return {
    admit(socket) {
      const from = socket.remoteAddress ?? ''
      const address = isProxy(from) ? null : countedNetwork(from)
      const refusal = findRefusal(address)
      if (refusal) {
        onRefused(refusal)
        return null
      }
      const connection = newConnection(socket, address, open.size >= budget.ordinary)
      open.set(socket, connection)
      idle.add(connection)
      socket.on('close', onSocketClose)
      return connection
    },
    find: (socket) => open.get(socket),
    setIdle(connection, isIdle) {
      if (!isIdle) idle.delete(connection)
      else if (open.has(connection.socket)) idle.add(connection)
    },
    isFull: () => open.size > budget.ordinary,
    all: () => open.values(),
    counts: () => ({ open: open.size, idle: idle.size }),
  }
}

const newConnection = (socket: Socket, address: string | null, isReserve: boolean): OpenConnection => ({
  socket,
  address,
  isReserve,
  openRequests: 0,
  lastRequest: null,
  lastResponse: null,
  isTaken: false,
  failureCode: null,
  stuckSweeps: 0,
  queued: null,
  forwarded: null,
})
