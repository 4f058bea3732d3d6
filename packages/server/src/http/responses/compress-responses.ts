import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptsGzip } from '../../kernel/accepts-gzip.ts'

/**
 * The size below which compressing is not worth the time. Responses with a secret (a new key or token) are
 * far smaller.
 */
const COMPRESSED_MIN_BYTES = 64 * 1024
/**
 * The fastest level: of ten thousand flags it leaves a twelfth in 20 ms, the default level a fourteenth in
 * 55.
 */
const compress = promisify(gzip)
const LEVEL = { level: constants.Z_BEST_SPEED }

/**
 * Compresses large JSON responses for clients that accept gzip (RFC 9110, section 12.5.3), off the main
 * thread: ten thousand flags are nine megabytes. A response with an ETag is not compressed: its tag is strong
 * and names the plain bytes.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    // A text is not encoded: it is the error of a hook behind this one, after a compressed response.
    if (typeof payload === 'string') reply.removeHeader('content-encoding')
    if (!isLarge(payload) || !isPlainJson(reply)) return done(null, payload)
    reply.header('vary', 'accept-encoding')
    if (!acceptsGzip(request.headers['accept-encoding'])) return done(null, payload)
    reply.removeHeader('content-length')
    reply.header('content-encoding', 'gzip')
    // Behind a promise the framework also handles what throws in the hooks that follow.
    return compress(payload, LEVEL).then((compressed) => {
      request.lease?.shrinkTo(compressed.length)
      return compressed
    })
  })
}

const isLarge = (payload: unknown): payload is Buffer | string =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= COMPRESSED_MIN_BYTES

const isPlainJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('application/json') &&
  !reply.hasHeader('content-encoding') &&
  !reply.hasHeader('etag')
