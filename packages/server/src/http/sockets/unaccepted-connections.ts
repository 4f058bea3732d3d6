import type { OpenConnection } from './open-connection.ts'

/** The open connections of each address on which no credential was accepted, the oldest first. */
interface UnacceptedConnections {
  /** Adds a connection, except for one of a proxy, whose clients share it. */
  add(connection: OpenConnection): void
  delete(connection: OpenConnection): void
  count(address: string): number
  /** Returns the oldest connection of an address that fits, among the first ones. */
  oldest(address: string, fits: (connection: OpenConnection) => boolean): OpenConnection | undefined
}

/** The connections that are looked at. Those at the front are the oldest, and most likely to wait. */
const LOOKED_AT = 100

export function createUnaccepted(): UnacceptedConnections {
  const byAddress = new Map<string, Set<OpenConnection>>()
  return {
    add(connection) {
      if (connection.address === null) return
      const own = byAddress.get(connection.address) ?? new Set()
      byAddress.set(connection.address, own.add(connection))
    },
    delete(connection) {
      if (connection.address === null || connection.isAccepted) return
      const own = byAddress.get(connection.address)
      own?.delete(connection)
      if (own?.size === 0) byAddress.delete(connection.address)
    },
    count: (address) => byAddress.get(address)?.size ?? 0,
    oldest(address, fits) {
      let looked = 0
      for (const connection of byAddress.get(address) ?? []) {
        if (fits(connection)) return connection
        looked += 1
        if (looked === LOOKED_AT) return undefined
      }
      return undefined
    },
  }
}
