import type { Endpoint } from '@burgee/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'

const ALLOWED_HEADERS = [
  ...['authorization', 'content-type', 'if-none-match', 'x-api-key', 'cache-control', 'last-event-id'],
  ...['x-burgee-batch', 'x-burgee-stream'],
].join(', ')
/** The headers of responses that scripts of other origins may read. */
export const EXPOSED_HEADERS = 'etag, x-environment-id, retry-after, x-request-id, date'
const PREFLIGHT_SECONDS = '7200'
const OFREP_PREFLIGHT_SECONDS = '86400'

/** Allows any origin, without credentials, for what SDKs in browsers call (docs/reference/api.md#cors). */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS)
}

/** Responds to preflights of a path, without authentication. */
export function mountPreflight(app: FastifyInstance, { method, path, protocol }: Endpoint): void {
  const seconds = protocol === 'ofrep' ? OFREP_PREFLIGHT_SECONDS : PREFLIGHT_SECONDS
  app.options(path, (_request, reply) => {
    allowAnyOrigin(reply)
    return reply
      .code(204)
      .header('access-control-allow-methods', method)
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', seconds)
      .send()
  })
}
