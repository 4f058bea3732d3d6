import {
  BODY_MAX_BYTES,
  JSON_DEPTH_MAX,
  JSON_FIELDS_MAX,
  JSON_ITEMS_MAX,
  LARGE_JSON_FIELDS_MAX,
} from '@burgee/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findUncleanInput } from '../../kernel/hygiene.ts'
import { findExcess } from '../../kernel/json/find-excess.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { nextTurn, shareTurn } from '../../platform/concurrency/turns.ts'
import { decodeBody } from './decode-body.ts'
import { createLargeBodyTurns, type TakeLargeBodyTurn } from './large-body-turns.ts'
import { LARGE_BODY_BYTES, limitBodies } from './limit-bodies.ts'
import { parseReport, SMALL_REPORT_BYTES } from './parse-report.ts'

/** The syntax of a media type (RFC 9110, section 8.3.1), as far as it matters here. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/
const JSON_TYPES = /^application\/(?:json|merge-patch\+json)\s*(?:;|$)/i

const SCIM_TYPE = /^application\/scim\+json\s*(?:;|$)/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

const BOUNDS = { depth: JSON_DEPTH_MAX, fields: JSON_FIELDS_MAX, items: JSON_ITEMS_MAX }
/** The bounds of endpoints that take lists of users or of places in code. */
const LARGE_BOUNDS = { ...BOUNDS, fields: LARGE_JSON_FIELDS_MAX }

/**
 * Registers one parser for every body (docs/reference/api.md). An empty body counts as none, whatever its
 * content type; anything else must be JSON with a JSON content type. `__proto__` is an ordinary key, so the
 * framework's own parser, which refuses it, is not used.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    // An unreadable content type is a foreign one, and does not matter without a body.
    const type = headers['content-type']
    if (type !== undefined && !MEDIA_TYPE.test(type)) headers['content-type'] = 'application/octet-stream'
    done()
  })
  limitBodies(app)
  const takeLargeBodyTurn = createLargeBodyTurns()
  app.decorateRequest('hasLargeBody', false)
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined)
    parse(request, bytes, takeLargeBodyTurn).then(
      (body) => done(null, body),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.hasLargeBody) void nextTurn().then(() => done())
    else done()
  })
}

/**
 * Resolves at once for a small body, and for a large one when the event loop has time for the next step of
 * its request.
 */
export async function takeTurnFor(request: FastifyRequest): Promise<void> {
  if (request.hasLargeBody) await nextTurn()
}

async function parse(
  request: FastifyRequest,
  bytes: Buffer,
  takeLargeBodyTurn: TakeLargeBodyTurn,
): Promise<unknown> {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers
  const isForm = request.routeOptions.config.endpoint?.acceptsForm === true && FORM_TYPE.test(type)
  if (isForm && encoding === 'identity') return Object.fromEntries(new URLSearchParams(bytes.toString()))
  const isJson =
    JSON_TYPES.test(type) || (request.routeOptions.config.isScim === true && SCIM_TYPE.test(type))
  if (!isJson || encoding !== 'identity')
    throw new Refusal('unsupported_media_type', 'Send the body as application/json, uncompressed.')
  const { endpoint } = request.routeOptions.config
  request.hasLargeBody = bytes.length > (endpoint?.ingest ? SMALL_REPORT_BYTES : LARGE_BODY_BYTES)
  if (endpoint?.ingest) return parseReport(endpoint, bytes)
  if (request.hasLargeBody) await takeLargeBodyTurn(request)
  return parseJson(request, bytes)
}

async function parseJson(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (request.hasLargeBody) await shareTurn()
  const isLarge = (request.routeOptions.config.endpoint?.bodyMaxBytes ?? 0) > BODY_MAX_BYTES
  const excess = findExcess(bytes, isLarge ? LARGE_BOUNDS : BOUNDS)
  if (excess) throw invalid([excess])
  await takeTurnFor(request)
  const text = await decodeBody(bytes).catch(refuseMalformed)
  await takeTurnFor(request)
  const parsed: unknown = orMalformed(() => JSON.parse(text))
  await takeTurnFor(request)
  const problem = findUncleanInput(parsed, JSON_DEPTH_MAX)
  if (problem) throw invalid([problem])
  return parsed
}

function orMalformed<T>(read: () => T): T {
  try {
    return read()
  } catch {
    return refuseMalformed()
  }
}

function refuseMalformed(): never {
  throw new Refusal('malformed', 'The body is not valid JSON in UTF-8.')
}

declare module 'fastify' {
  interface FastifyRequest {
    /** True when processing the body takes so long that other requests run in between. */
    hasLargeBody: boolean
  }
}
