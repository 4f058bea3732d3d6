import type { IncomingMessage, ServerResponse } from 'node:http'
import { ACK_BODY_MAX_BYTES, type AckInput } from '@burgee/contract'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import { unavailable } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { ACK_HEADER } from './client-header.ts'

interface AckShortcutDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Returns null when the ordinary path must decide. */
  readonly findKnownKey: (key: string) => SdkKeyActor | null
  /** Counts a request of the key. False when it has sent too many, which the ordinary path reports. */
  readonly take: (actor: SdkKeyActor) => boolean
  /** The headers of every response of the endpoint, as alternating names and values. */
  readonly headers: readonly string[]
  readonly newId: () => string
  readonly parse: (bytes: Buffer) => Promise<AckInput>
  readonly acknowledge: (actor: SdkKeyActor, body: AckInput) => Promise<string | null>
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

const PATH = '/sdk/ack'
const BEARER = 'Bearer '
const JSON_TYPE = /^application\/json *(?:;|$)/i
/** The time after which the key of a body that arrives slowly is checked again. */
const CHECK_VALID_MS = 1_000

/**
 * Creates the fast path of acknowledgments with a known SDK key: after a change, thousands of clients send
 * theirs within seconds. Anything unusual takes the ordinary path, which gives the same response.
 */
export function createAckShortcut(deps: AckShortcutDeps) {
  async function respond(actor: SdkKeyActor, bytes: Buffer, request: IncomingMessage, isLate: boolean) {
    const secret = secretIn(request)
    // A revocation takes effect at once, also while a body arrives slowly.
    if (isLate && (secret === null || deps.findKnownKey(secret) === null)) throw late()
    return deps.acknowledge(actor, await deps.parse(bytes))
  }

  return (
    request: IncomingMessage,
    response: ServerResponse,
    onResponse: (endpoint: string) => void,
  ): boolean => {
    const secret = isUsual(request) ? secretIn(request) : null
    const actor = secret === null ? null : deps.findKnownKey(secret)
    if (!actor || !deps.take(actor)) return false
    const id = deps.newId()
    const startedMs = deps.clock.monotonicMs()
    const send = (status: number, own: Readonly<Record<string, string>>, body?: string): void => {
      const headers = [...deps.headers, 'x-request-id', id, ...Object.entries(own).flat()]
      if (body !== undefined) headers.push('content-length', String(Buffer.byteLength(body)))
      response.writeHead(status, headers).end(body)
      onResponse(PATH)
    }
    const sendError = (error: unknown): void => {
      const { body, headers, status } = deps.toError(error, { url: PATH, id })
      send(status, { 'content-type': 'application/json; charset=utf-8', ...headers }, JSON.stringify(body))
    }
    readBody(request, (bytes) => {
      const isLate = deps.clock.monotonicMs() - startedMs > CHECK_VALID_MS
      respond(actor, bytes, request, isLate)
        .then((ack) => send(204, ack === null ? {} : { [ACK_HEADER]: ack }))
        .catch(sendError)
    })
    return true
  }
}

const late = () => unavailable('The body arrived too late to be sure of the SDK key. Send it again.')

function isUsual({ headers, method, url }: IncomingMessage): boolean {
  const length = Number(headers['content-length'])
  return (
    url === PATH &&
    method === 'POST' &&
    length > 0 &&
    length <= ACK_BODY_MAX_BYTES &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined
  )
}

function secretIn({ headers: { authorization } }: IncomingMessage): string | null {
  return authorization?.startsWith(BEARER) ? authorization.slice(BEARER.length) : null
}

/** Reads a body. When the caller leaves before its end, nothing more happens. */
function readBody(request: IncomingMessage, onBody: (bytes: Buffer) => void): void {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => onBody(Buffer.concat(pieces)))
  request.on('error', () => undefined)
}
