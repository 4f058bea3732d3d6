import type { Socket } from 'node:net'
import { countedNetwork } from '../../platform/client-address.ts'
import type { AddressCounts } from './address-counts.ts'
import { createArrivingBodies, isArriving } from './arriving-bodies.ts'
import type { ConnectionBudget } from './connection-budget.ts'
import { newConnection, type OpenConnection } from './open-connection.ts'
import { createUnaccepted } from './unaccepted-connections.ts'

/**
 * The reasons for refusing a connection. `limit`: no capacity. `address`: its address has too many.
 * `evicted`: idle or with an unfinished request, closed for a newer connection.
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
  /**
   * Marks that the body of the connection's last request is arriving: it may be closed when capacity is
   * needed and none is idle.
   */
  setArriving(connection: OpenConnection): void
  /** Marks that a credential was accepted: the connection counts as that of a known caller from now on. */
  accept(connection: OpenConnection): void
  isFull(): boolean
  all(): Iterable<OpenConnection>
  counts(): { readonly open: number; readonly idle: number }
}

interface TableDeps {
  readonly budget: ConnectionBudget
  readonly addresses: AddressCounts
  /** The connections of one address that may be open without an accepted credential. */
  readonly maxUnaccepted: number
  readonly isProxy: (address: string) => boolean
  readonly onRefused: (reason: ConnectionRefusal) => void
  readonly onClosed: (connection: OpenConnection) => void
}

export function createConnectionTable(deps: TableDeps): ConnectionTable {
  const { addresses, budget, isProxy, onClosed, onRefused } = deps
  const open = new Map<Socket, OpenConnection>()
  const idle = new Set<OpenConnection>()
  const arriving = createArrivingBodies()
  const unaccepted = createUnaccepted()
  const addressOf = createAddressReader(isProxy)

  function remove(socket: Socket): void {
    const connection = open.get(socket)
    if (!connection) return
    open.delete(socket)
    idle.delete(connection)
    arriving.delete(connection)
    unaccepted.delete(connection)
    if (connection.address !== null) addresses.leave(connection.address)
    onClosed(connection)
  }

  function evict(connection: OpenConnection | undefined): boolean {
    if (!connection) return false
    // Removed now instead of when its socket closes: connections are accepted many at a time.
    remove(connection.socket)
    connection.socket.destroy()
    onRefused('evicted')
    return true
  }

  function findRefusal(address: string | null): ConnectionRefusal | null {
    if (address !== null && unaccepted.count(address) >= deps.maxUnaccepted) {
      const isWaiting = (each: OpenConnection) => idle.has(each) || isArriving(each)
      if (!evict(unaccepted.oldest(address, isWaiting))) return 'address'
    }
    if (address !== null && !addresses.enter(address)) return 'address'
    if (open.size >= budget.ordinary) evict(idle.values().next().value ?? arriving.oldest())
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
      unaccepted.add(connection)
      socket.on('close', onSocketClose)
      return connection
    },
    find: (socket) => open.get(socket),
    setIdle(connection, isIdle) {
      if (!isIdle) idle.delete(connection)
      else if (open.has(connection.socket)) idle.add(connection)
    },
    setArriving: arriving.add,
    accept(connection) {
      if (connection.isAccepted) return
      unaccepted.delete(connection)
      const isInSet = arriving.delete(connection)
      connection.isAccepted = true
      if (isInSet) arriving.add(connection)
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
