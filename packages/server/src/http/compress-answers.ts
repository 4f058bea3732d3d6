import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptsGzip } from '../kernel/accepts-gzip.ts'

/** Below it compressing saves no packet worth the time. What holds a secret (a new key or token) is far below. */
const COMPRESSED_MIN_BYTES = 64 * 1024
/** The quickest: of ten thousand flags it leaves a twelfth in 20 ms, where the usual level leaves a fourteenth in 55. */
const LEVEL = { level: constants.Z_BEST_SPEED }

const compress = promisify<Buffer | string, { level: number }, Buffer>(gzip)

/**
 * Large JSON answers go compressed to those who accept gzip (RFC 9110, section 12.5.3), off the main thread: ten thousand flags
 * are nine megabytes. An answer with an ETag stays as it is: its tag is strong and names the plain bytes.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isLarge(payload) || !isPlainJson(reply)) return payload
    reply.header('vary', 'accept-encoding')
    if (!acceptsGzip(request.headers['accept-encoding'])) return payload
    reply.removeHeader('content-length')
    reply.header('content-encoding', 'gzip')
    const compressed = await compress(payload, LEVEL)
    request.lease?.shrinkTo(compressed.length)
    return compressed
  })
}

const isLarge = (payload: unknown): payload is Buffer | string =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= COMPRESSED_MIN_BYTES

const isPlainJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('application/json') &&
  !reply.hasHeader('content-encoding') &&
  !reply.hasHeader('etag')
