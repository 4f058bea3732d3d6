import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionTable, OpenConnection } from './connection-table.ts'

const SWEEP_MS = 30_000
/** A complete answer that is not taken within ten minutes is dropped: 16 MB need 27 KB a second. */
const STUCK_SWEEPS = 20

/**
 * Closes connections whose caller takes a complete answer too slowly. One that takes nothing at all is closed by the
 * server's own time-out; this is for one that takes a few bytes a minute, and holds a large answer in memory meanwhile.
 */
export function startSweeping(server: Server, table: Pick<ConnectionTable, 'all'>): void {
  const timer = setInterval(() => sweepConnections(table.all()), SWEEP_MS)
  timer.unref()
  server.on('close', () => clearInterval(timer))
}

function sweepConnections(connections: Iterable<OpenConnection>): void {
  for (const connection of connections) {
    const { isTaken, lastResponse, openRequests, socket } = connection
    const isWaiting = !isTaken && openRequests > 0 && lastResponse?.writableEnded === true
    connection.stuckSweeps = isWaiting ? connection.stuckSweeps + 1 : 0
    if (connection.stuckSweeps >= STUCK_SWEEPS) socket.destroy()
  }
}

/** Nothing moves on the connection: it is closed, unless it waits for an answer that this server has not begun. */
export function closeWhenInactive(connection: OpenConnection | undefined, socket: Socket): void {
  const { lastRequest, lastResponse, openRequests = 0 } = connection ?? {}
  const isWorking = openRequests > 0 && lastRequest?.complete === true && lastResponse?.headersSent === false
  if (isWorking) socket.setTimeout(socket.timeout ?? 0)
  else socket.destroy()
}
