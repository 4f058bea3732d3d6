import type { FastifyInstance } from 'fastify'

/** The time for running requests to finish. */
const PATIENCE_MS = 5_000

/**
 * Stops accepting and lets requests finish. Remaining connections (with an incomplete request, or none) are
 * then closed.
 */
export async function drainHttp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS)
  await app.close().finally(() => clearTimeout(cut))
}
