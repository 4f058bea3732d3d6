import type { FastifyInstance } from 'fastify'
import { unavailable } from '../../kernel/refusal.ts'
import { clientNetwork } from '../client-address.ts'
import type { Connections } from './create-connections.ts'

const RETRY_AFTER_SECONDS = 5

/** Behind a proxy `MAX_CONNECTIONS_PER_ADDRESS` counts the open requests and streams of each client that the proxy names. */
export function limitForwarded(app: FastifyInstance, connections: Pick<Connections, 'admitForwarded'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isAdmitted = connections.admitForwarded(request.raw, reply.raw, () => clientNetwork(request))
    if (isAdmitted) done()
    else
      done(
        unavailable(
          'Too many requests and streams of this address are open. Close some, or try again later.',
          RETRY_AFTER_SECONDS,
        ),
      )
  })
}
