import { JSON_DEPTH_MAX } from '@burgee/contract'
import type { FastifyInstance } from 'fastify'
import { findUncleanInput } from '../kernel/hygiene.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import { mendJson } from '../kernel/reported-text.ts'

/** RFC 9110, section 8.3.1, as far as it matters here. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/
const JSON_TYPES = /^application\/(?:json|merge-patch\+json)\s*(?:;|$)/i

/**
 * One reader for every body (contract, section 3): an empty body is no body whatever its content type says; anything else
 * must be JSON, in a JSON content type. `__proto__` stays an ordinary key, so the framework's own parser, which refuses
 * it, is not used.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async ({ headers }) => {
    // One that cannot be read is a foreign one, and says nothing about a body that is not there.
    const type = headers['content-type']
    if (type !== undefined && !MEDIA_TYPE.test(type)) headers['content-type'] = 'application/octet-stream'
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers
    if (!JSON_TYPES.test(type) || encoding !== 'identity') {
      return done(new Refusal('unsupported_media_type', 'Send the body as application/json, uncompressed.'))
    }
    try {
      const { endpoint } = request.routeOptions.config
      done(null, endpoint?.ingest ? parse(bytes, mendJson) : parseJson(bytes))
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Buffer): unknown {
  const parsed = parse(bytes)
  const problem = findUncleanInput(parsed, JSON_DEPTH_MAX)
  if (problem) throw invalid([problem])
  return parsed
}

/** What SDKs report is mended, not refused (contract, section 8); how deep it nests is looked at where it is kept. */
function parse(bytes: Buffer, mend = (json: string) => json): unknown {
  try {
    return JSON.parse(mend(utf8.decode(bytes)))
  } catch {
    throw new Refusal('malformed', 'The body is not valid JSON in UTF-8.')
  }
}
