import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { API_POLICY } from '../kernel/api-policy.ts'
import { EXPOSED_HEADERS } from './cors.ts'

const POLICY_HEADER = 'content-security-policy'
const NO_STORE = 'no-store'

/** The headers of responses that the framework sends without running hooks. */
export const BARE_RESPONSE_HEADERS = {
  [POLICY_HEADER]: API_POLICY,
  'cache-control': NO_STORE,
  'x-content-type-options': 'nosniff',
}

/**
 * Adds the security headers to every response. Pages replace the policy with their own. Responses of the API
 * are not cached, except those with their own `Cache-Control`.
 */
export async function setResponseHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    xFrameOptions: { action: 'deny' },
    // Sibling hosts may belong to others.
    strictTransportSecurity: { includeSubDomains: false },
    global: true,
  })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header(POLICY_HEADER, API_POLICY)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isApi(request.url) && !reply.hasHeader('cache-control')) reply.header('cache-control', NO_STORE)
    done(null, payload)
  })
}

const isApi = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url)

/**
 * The headers of the snapshot's responses for the shortcut, as alternating names and values. A test compares
 * them with those of the ordinary path.
 */
export const SNAPSHOT_HEADERS: readonly string[] = [
  [POLICY_HEADER, API_POLICY],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['origin-agent-cluster', '?1'],
  ['referrer-policy', 'no-referrer'],
  ['strict-transport-security', 'max-age=31536000'],
  ['x-content-type-options', 'nosniff'],
  ['x-dns-prefetch-control', 'off'],
  ['x-download-options', 'noopen'],
  ['x-frame-options', 'DENY'],
  ['x-permitted-cross-domain-policies', 'none'],
  ['x-xss-protection', '0'],
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', EXPOSED_HEADERS],
].flat()
