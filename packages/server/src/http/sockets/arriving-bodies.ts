import type { OpenConnection } from './open-connection.ts'

/** The connections whose last request has a body that is not complete. */
interface ArrivingBodies {
  add(connection: OpenConnection): void
  /** Returns whether the connection was among them. */
  delete(connection: OpenConnection): boolean
  /**
   * Returns the connection whose body has been arriving for longest, of those without an accepted credential
   * first: a normal sender finishes quickly, and one that stalls is among the oldest.
   */
  oldest(): OpenConnection | undefined
}

export const isArriving = ({ isTaken, lastRequest, openRequests }: OpenConnection): boolean =>
  !isTaken && openRequests > 0 && lastRequest?.complete === false

/**
 * Creates the sets. Bodies that are complete leave them only when an old one is looked for, or with their
 * response: an event for the end of each body would cost more.
 */
export function createArrivingBodies(): ArrivingBodies {
  const unaccepted = new Set<OpenConnection>()
  const accepted = new Set<OpenConnection>()
  const setOf = ({ isAccepted }: OpenConnection) => (isAccepted ? accepted : unaccepted)

  function oldestOf(connections: Set<OpenConnection>): OpenConnection | undefined {
    for (const connection of connections) {
      if (isArriving(connection)) return connection
      connections.delete(connection)
    }
    return undefined
  }

  function remove(connection: OpenConnection): boolean {
    const wasUnaccepted = unaccepted.delete(connection)
    return accepted.delete(connection) || wasUnaccepted
  }

  return {
    add(connection) {
      // A later request of the connection is a newer one.
      remove(connection)
      setOf(connection).add(connection)
    },
    delete: remove,
    oldest: () => oldestOf(unaccepted) ?? oldestOf(accepted),
  }
}
