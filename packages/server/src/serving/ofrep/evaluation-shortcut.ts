import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import { unavailable } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { ofrepHeaders } from './handlers.ts'
import { parseBody } from './parse-body.ts'
import { type ReadContext, readContext } from './read-context.ts'
import { createRecentEntries } from './recent-entries.ts'
import type { OfrepReply, Responder } from './responder.ts'

interface ShortcutDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly responder: Responder
  /** Returns null when the ordinary path must decide. */
  readonly findKnownKey: (key: string) => SdkKeyActor | null
  readonly isLoaded: (environment_id: string) => boolean
  /** Counts a request of the key. False when it has sent too many, which the ordinary path reports. */
  readonly take: (actor: SdkKeyActor) => boolean
  /** The headers of every response of the endpoint, as alternating names and values. */
  readonly headers: readonly string[]
  readonly newId: () => string
  /** Describes an error as the ordinary path does. */
  readonly toError: (
    error: unknown,
    request: { readonly url: string; readonly id: string },
  ) => {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: object
  }
}

/** The flag and the credential of a request. */
interface Target {
  readonly endpoint: string
  /** The key of one flag; null for all. */
  readonly key: string | null
  readonly secret: string
}

/** Called once a response was written, with its endpoint. */
type OnResponse = (endpoint: string) => void

const BULK_URL = '/ofrep/v1/evaluate/flags'
/** Any other key, and any query, takes the ordinary path. */
const SINGLE_URL = /^\/ofrep\/v1\/evaluate\/flags\/([\w-]{1,100})$/
const JSON_TYPE = /^application\/json *(?:;|$)/i
const BEARER = 'Bearer '
const BODY_MAX_BYTES = 16 * 1024
/** The memory of remembered contexts, and the size of a body that is remembered. */
const REMEMBERED_BYTES = 8 * 1024 * 1024
const REMEMBERED_BODY_MAX_BYTES = 2 * 1024
/** A context in memory is several times as large as its JSON. */
const CONTEXT_WEIGHT = 6
/** The time after which the key of a body that arrives slowly is checked again. */
const CHECK_VALID_MS = 1_000

/**
 * Creates the fast path of evaluations with a known SDK key and a small body, without the framework, whose
 * hooks cost several times the evaluation. It responds to the request, or returns false without any effect.
 */
export function createEvaluationShortcut(deps: ShortcutDeps) {
  const contexts = createRecentEntries<ReadContext>(REMEMBERED_BYTES)

  /** Reads a body. Equal bodies are frequent: a client that polls sends the same one each time. */
  function contextOf(bytes: Buffer): ReadContext {
    if (bytes.length > REMEMBERED_BODY_MAX_BYTES) return readContext(parseBody(bytes))
    const text = bytes.toString('latin1')
    const known = contexts.get(text)
    if (known) return known
    const context = readContext(parseBody(bytes))
    contexts.set(text, context, CONTEXT_WEIGHT * bytes.length)
    return context
  }

  function evaluate(actor: SdkKeyActor, { key }: Target, bytes: Buffer, ifNoneMatch: string | undefined) {
    const context = contextOf(bytes)
    if (key !== null) return deps.responder.one(actor, key, context)
    return deps.responder.all(actor, { context, ifNoneMatch, awaited: null })
  }

  function serve(actor: SdkKeyActor, target: Target, { request, response, onResponse }: Exchange): void {
    const id = deps.newId()
    const startedMs = deps.clock.monotonicMs()

    function send(status: number, bytes: Buffer | string, own: Readonly<Record<string, string>>): void {
      const headers = [...deps.headers, 'x-request-id', id]
      for (const name in own) headers.push(name, own[name] ?? '')
      if (status !== 304) headers.push('content-length', String(Buffer.byteLength(bytes)))
      response.writeHead(status, headers).end(bytes)
      onResponse(target.endpoint)
    }
    const sendReply = ({ bytes, etag, status }: OfrepReply) => send(status, bytes, ofrepHeaders(status, etag))
    function sendError(error: unknown): void {
      const { body, headers, status } = deps.toError(error, { url: request.url ?? '', id })
      send(status, JSON.stringify(body), { 'content-type': 'application/json; charset=utf-8', ...headers })
    }

    readBody(request, (bytes) => {
      try {
        // A revocation takes effect at once, also while a body arrives slowly.
        const isLate = deps.clock.monotonicMs() - startedMs > CHECK_VALID_MS
        if (isLate && deps.findKnownKey(target.secret) === null) throw late()
        const reply = evaluate(actor, target, bytes, request.headers['if-none-match'])
        if (reply instanceof Promise) reply.then(sendReply, sendError)
        else sendReply(reply)
      } catch (error) {
        sendError(error)
      }
    })
  }

  return (request: IncomingMessage, response: ServerResponse, onResponse: OnResponse): boolean => {
    const target = findTarget(request)
    const actor = target && deps.findKnownKey(target.secret)
    if (!actor || !deps.isLoaded(actor.environment_id) || !deps.take(actor)) return false
    serve(actor, target, { request, response, onResponse })
    return true
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly onResponse: OnResponse
}

const late = () => unavailable('The body arrived too late to be sure of the SDK key. Send it again.')

/** Returns the target of a request; null for one that the ordinary path must handle. */
function findTarget({ headers, method, url = '' }: IncomingMessage): Target | null {
  if (method !== 'POST' || !url.startsWith(BULK_URL)) return null
  const key = url === BULK_URL ? null : SINGLE_URL.exec(url)?.[1]
  const secret = secretIn(headers)
  const length = Number(headers['content-length'])
  const isUsual =
    length > 0 &&
    length <= BODY_MAX_BYTES &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined
  if (key === undefined || secret === null || !isUsual) return null
  return { endpoint: key === null ? BULK_URL : `${BULK_URL}/:key`, key, secret }
}

/** An Authorization header alone decides. */
function secretIn(headers: IncomingMessage['headers']): string | null {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization !== undefined)
    return authorization.startsWith(BEARER) ? authorization.slice(BEARER.length) : null
  return typeof apiKey === 'string' ? apiKey : null
}

/** Reads a body. When the caller leaves before its end, nothing more happens. */
function readBody(request: IncomingMessage, onBody: (bytes: Buffer) => void): void {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => onBody(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)))
  request.on('error', () => undefined)
}
