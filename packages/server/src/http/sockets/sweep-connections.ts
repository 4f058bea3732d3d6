import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionTable } from './connection-table.ts'
import type { OpenConnection } from './open-connection.ts'

const SWEEP_MS = 30_000
/** The sweeps after which an unread response is dropped, ten minutes: 16 MB need 27 KB a second. */
const STUCK_SWEEPS = 20

/**
 * Closes connections whose caller reads a complete response too slowly. The server's own timeout closes one
 * that reads nothing; this is for one that reads a few bytes a minute, while a large response stays in
 * memory.
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

/** Closes an inactive connection, unless it waits for a response that this server has not started. */
export function closeWhenInactive(connection: OpenConnection | undefined, socket: Socket): void {
  const { lastRequest, lastResponse, openRequests = 0 } = connection ?? {}
  const isWorking = openRequests > 0 && lastRequest?.complete === true && lastResponse?.headersSent === false
  if (isWorking) socket.setTimeout(socket.timeout ?? 0)
  else socket.destroy()
}
