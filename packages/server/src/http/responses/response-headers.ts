import type { FastifyInstance } from 'fastify'
import { API_POLICY } from '../../kernel/api-policy.ts'
import { EXPOSED_HEADERS } from '../requests/cors.ts'

const POLICY_HEADER = 'content-security-policy'
const NO_STORE = 'no-store'

/** The headers of responses that the framework sends without running hooks. */
export const BARE_RESPONSE_HEADERS = {
  [POLICY_HEADER]: API_POLICY,
  'cache-control': NO_STORE,
  'x-content-type-options': 'nosniff',
}

/** The headers by which browsers protect a response, as OWASP's Secure Headers Project lists them. */
const SECURITY_HEADERS = {
  [POLICY_HEADER]: API_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // Sibling hosts may belong to others, so subdomains are not included.
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/**
 * Adds the security headers to every response. Pages replace the policy with their own. Responses of the API
 * are not cached, except those with their own `Cache-Control`.
 */
export function setResponseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS)
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
  ...Object.entries(SECURITY_HEADERS),
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', EXPOSED_HEADERS],
].flat()
