import type { FastifyRequest } from 'fastify'
import { countedNetwork, toClientAddress } from '../../platform/client-address.ts'

/**
 * Returns the client's address according to TRUST_PROXY; the peer's when a proxy forwarded something that is
 * not an address.
 */
export function clientAddress(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress ?? 'unknown'
  return toClientAddress(request.ip ?? '') ?? toClientAddress(peer) ?? peer
}

/** Returns the network of the request that rate limits count. */
export const clientNetwork = (request: FastifyRequest): string => countedNetwork(clientAddress(request))
