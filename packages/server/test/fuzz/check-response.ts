import { type Endpoint, ErrorBody, ManifestFailure, OfrepFailure } from '@burgee/contract'
import { errorStatuses } from '../../../contract/src/open-api/error-responses.ts'
import { createValidators, toProblems } from '../../src/http/requests/validators.ts'
import { createReplyCheck } from '../harness/check-reply.ts'
import type { WireRequest } from './draft.ts'
import { type FoundEndpoint, findEndpoint, isKnownPath } from './find-endpoint.ts'
import type { WireAnswer } from './send-wire-request.ts'
import { findUndeclared } from './undeclared-fields.ts'

/** Returns the problems of a response; empty when there are none. */
export type Checker = (
  request: WireRequest,
  answer: WireAnswer,
  /** The statuses that the mutations allow, beyond the declared ones. */
  invited: readonly number[],
) => string[]

/** Texts that a response must never contain: positions in the code, queries, details of the machine. */
const LEAKS = [
  // A time is no position.
  /\bat .{0,200}(?<!T\d\d):\d+:\d+/,
  /node_modules|\/packages\/|node:internal|file:\/\//,
  /\.(?:ts|mjs|js|sql)\b/,
  /\bselect\b.+\bfrom\b|\binsert into\b|\bupdate\b.+\bset\b|\bdelete from\b/i,
  /violates|duplicate key|relation "|column "|syntax error|pg_|SQLSTATE|kysely/i,
  /ECONN|EPIPE|ENOENT|EACCES|TypeError|RangeError|SyntaxError|undefined \(reading/,
  /password_hash|key_hash|token_hash/,
]

/** The statuses of requests that reached no endpoint. */
const UNROUTED = [404, 405]
const FROM_FILES = [200, 304, 412]
const PREFLIGHT = 204

export function createChecker(): Checker {
  const checkReply = createReplyCheck((endpoint) => `${endpoint.method} ${endpoint.path}`)
  const validators = createValidators()
  const checks = [ErrorBody, OfrepFailure, ManifestFailure].map((schema) => ({
    schema,
    fits: validators.body(schema),
  }))

  return (request, answer, invited) => {
    const found = findEndpoint(request.method, request.path)
    const { status } = answer
    // 503 is declared for overload; /ready responds with it by design.
    if (status >= 500 && status !== 503) return [`status ${status}: ${answer.body.slice(0, 300)}`]
    if (!allowedStatuses(request, found).includes(status) && !invited.includes(status)) {
      return [`status ${status} is not declared: ${answer.body.slice(0, 300)}`]
    }
    if (status >= 400 && found?.endpoint.responses[status] === undefined) return assessError(request, answer)
    return found ? assessSuccess(found.endpoint, request, answer) : []
  }

  function assessError({ method, path }: WireRequest, { body, headers, status }: WireAnswer): string[] {
    const needsPatience = status === 429 || status === 503
    const problems =
      needsPatience && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')
        ? [`${status} without Retry-After`]
        : []
    if (method === 'HEAD') return body === '' ? problems : [...problems, 'HEAD with a body']
    const leak = LEAKS.map((pattern) => pattern.exec(body)?.[0]).find((found) => found !== undefined)
    if (leak !== undefined) problems.push(`error body leaks "${leak}": ${body.slice(0, 300)}`)
    const parsed = parseJson(body)
    const [usual, ofrep, manifest] = checks
    const isOfrep = path.startsWith('/ofrep/v1/') && Object(parsed).errorCode !== undefined
    const isManifest = path.startsWith('/openfeature/v0/') && typeof Object(parsed).error === 'object'
    const check = isOfrep ? ofrep : isManifest ? manifest : usual
    if (!check) return problems
    if (!headers['content-type']?.startsWith('application/json')) {
      problems.push(`error ${status} of content type ${headers['content-type']}: ${body.slice(0, 200)}`)
    } else if (!check.fits(parsed)) {
      problems.push(`error ${status} does not fit: ${JSON.stringify(toProblems(check.fits.errors ?? []))}`)
    } else {
      const undeclared = findUndeclared(check.schema, parsed)
      if (undeclared !== null) problems.push(`error ${status} has the undeclared field ${undeclared}`)
    }
    return problems
  }

  function assessSuccess(
    endpoint: Endpoint,
    { method }: WireRequest,
    { body, headers, status }: WireAnswer,
  ): string[] {
    const schema = endpoint.responses[status]
    if (method === 'HEAD' || schema === null) return body === '' ? [] : [`${status} with a body`]
    const { produces = 'application/json' } = endpoint
    const type = headers['content-type'] ?? ''
    if (!type.startsWith(produces)) return [`${status} of content type ${type}`]
    if (produces === 'text/event-stream') return assessStream(body)
    if (produces === 'application/x-ndjson') {
      const lines = body.split('\n').filter((line) => line !== '')
      return lines.flatMap((line) => assessJson(endpoint, status, line))
    }
    return produces === 'application/json' ? assessJson(endpoint, status, body) : []
  }

  function assessJson(endpoint: Endpoint, status: number, text: string): string[] {
    const schema = endpoint.responses[status]
    const parsed = parseJson(text)
    try {
      checkReply(endpoint, status, parsed)
    } catch (error) {
      return [`${status} does not fit: ${String(error)}`]
    }
    const undeclared = schema ? findUndeclared(schema, parsed) : null
    return undeclared === null ? [] : [`${status} has the undeclared field ${undeclared}`]
  }
}

function assessStream(body: string): string[] {
  // The event stream of OFREP has no bootstrap.
  if (body.startsWith('retry: 1000\n\n')) return []
  if (!body.startsWith('event: connected\ndata: '))
    return [`a stream begins with ${JSON.stringify(body.slice(0, 80))}`]
  return body.includes('\nevent: ready\n') ? [] : ['a stream ended before it was ready']
}

function allowedStatuses({ method, path }: WireRequest, found: FoundEndpoint | undefined): readonly number[] {
  if (found) {
    const declared = Object.keys(found.endpoint.responses).map(Number)
    return [...declared, ...errorStatuses(found.endpoint)]
  }
  if (method === 'OPTIONS' && isKnownPath(path)) return [...UNROUTED, PREFLIGHT]
  return method === 'GET' || method === 'HEAD' ? [...UNROUTED, ...FROM_FILES] : UNROUTED
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
