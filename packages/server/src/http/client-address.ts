import type { FastifyRequest } from 'fastify'
import { countedNetwork, toClientAddress } from '../platform/client-address.ts'

/** The client's address as TRUST_PROXY finds it; the peer's where a proxy forwarded something that is no address. */
export function clientAddress(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress ?? 'unknown'
  return toClientAddress(request.ip ?? '') ?? toClientAddress(peer) ?? peer
}

/** What limits for an address count the request by. */
export const clientNetwork = (request: FastifyRequest): string => countedNetwork(clientAddress(request))
