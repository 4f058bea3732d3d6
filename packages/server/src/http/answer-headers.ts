import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { API_POLICY } from '../kernel/api-policy.ts'

const POLICY_HEADER = 'content-security-policy'
const NO_STORE = 'no-store'

/** What an answer of the framework gets that no hook sees. */
export const BARE_ANSWER_HEADERS = {
  [POLICY_HEADER]: API_POLICY,
  'cache-control': NO_STORE,
  'x-content-type-options': 'nosniff',
}

/**
 * Puts on every answer what keeps browsers from misusing it. Pages replace the policy with their own. What the API answers is
 * kept by no cache, but for the answers that name a `Cache-Control` of their own.
 */
export async function setAnswerHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    xFrameOptions: { action: 'deny' },
    // Sibling hosts are not ours to bind.
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

/** What the ordinary way puts on the snapshot's answers, for the shortcut: name and value by turns. A test compares the two. */
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
  ['access-control-expose-headers', 'etag, x-environment-id, retry-after, x-request-id'],
].flat()
