import type { FastifyInstance } from 'fastify'

/** A request that is still being answered has this long to finish. */
const PATIENCE_MS = 5_000

/**
 * Stops accepting and lets requests finish. What is still connected then (a request that was never sent to its end, a
 * connection that never sent one) is cut off.
 */
export async function drainHttp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS)
  await app.close().finally(() => clearTimeout(cut))
}
