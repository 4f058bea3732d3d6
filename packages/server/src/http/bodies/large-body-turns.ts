import type { FastifyRequest } from 'fastify'
import { countedNetwork } from '../../platform/client-address.ts'
import { createFairQueue } from '../../platform/concurrency/fair-queue.ts'
import { clientAddress } from '../requests/client-address.ts'

/** The large bodies that are parsed at once. A parsed body takes up to twenty times its bytes in memory. */
const AT_ONCE = 16
const WAITING_MAX = 1_000

/** Resolves when the large body of the request may be parsed. Its turn ends when the response was sent. */
export type TakeLargeBodyTurn = (request: FastifyRequest) => Promise<void>

/** Creates the turns. Refuses with `unavailable` when too many requests wait. Addresses take turns. */
export function createLargeBodyTurns(): TakeLargeBodyTurn {
  const queue = createFairQueue({
    concurrency: AT_ONCE,
    waitingMax: WAITING_MAX,
    message: 'Too many large bodies are waiting to be read. Send it again in a moment.',
  })
  return (request) =>
    new Promise((begin, refuse) => {
      const from = countedNetwork(clientAddress(request))
      const holdPlace = async () => {
        begin()
        await request.responded
      }
      queue.run({ from }, holdPlace).catch(refuse)
    })
}
