import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { countedNetwork } from '../../platform/client-address.ts'
import type { AddressCounts } from './address-counts.ts'
import type { ConnectionBudget } from './connection-budget.ts'

/** A connection of the HTTP server, from accepting it until its socket is closed. */
export interface OpenConnection {
  readonly socket: Socket
  /** True beyond the ordinary connections: only health, readiness and metrics are served. */
  readonly isReserve: boolean
  /** The address that it counts for; null when the caller is a proxy. */
  readonly address: string | null
  openRequests: number
  lastRequest: IncomingMessage | null
  lastResponse: ServerResponse | null
  /** True when a stream owns the socket. */
  isTaken: boolean
  /** The code of the parser's error, which is reported after the responses to earlier requests. */
  failureCode: string | null
  /** The number of consecutive sweeps with a complete response that the caller has not read. */
  stuckSweeps: number
  /** Responses that wait for those to earlier requests of the connection; null when none ever waited. */
  queued: Set<ServerResponse> | null
  /** Behind a proxy, the client addresses of open requests. */
  forwarded: Map<ServerResponse, string> | null
}

/**
 * The reasons for refusing a connection. `limit`: no capacity. `address`: its address has too many.
 * `evicted`: idle, closed for a newer connection.
 */
export type ConnectionRefusal = 'limit' | 'address' | 'evicted' | 'reserve'

export interface ConnectionTable {
  /** Registers a connection; null when there is no capacity. */
  admit(socket: Socket): OpenConnection | null
  find(socket: Socket): OpenConnection | undefined
  /**
   * Marks whether the connection is between requests, or before the first, and may be closed when capacity is
   * needed. The longest idle one is closed first.
   */
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
  const addressOf = createAddressReader(isProxy)

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
    // Removed now instead of when its socket closes: connections are accepted many at a time.
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

  /** One function for all sockets: a closure for each would live as long as a stream. */
  function onSocketClose(this: Socket): void {
    remove(this)
  }

  return {
    admit(socket) {
      const address = addressOf(socket.remoteAddress ?? '')
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

/** Remembers the last address: a crowd that connects at once often comes from one. */
function createAddressReader(isProxy: TableDeps['isProxy']): (from: string) => string | null {
  let lastFrom: string | null = null
  let address: string | null = null
  return (from) => {
    if (from !== lastFrom) address = isProxy(from) ? null : countedNetwork(from)
    lastFrom = from
    return address
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
