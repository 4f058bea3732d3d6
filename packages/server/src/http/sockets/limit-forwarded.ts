import type { FastifyInstance } from 'fastify'
import { unavailable } from '../../kernel/refusal.ts'
import { clientNetwork } from '../requests/client-address.ts'
import type { Connections } from './create-connections.ts'

const RETRY_AFTER_SECONDS = 5

/** Limits the open requests and streams of each client behind a proxy by `MAX_CONNECTIONS_PER_ADDRESS`. */
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
