import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptsGzip } from '../kernel/accepts-gzip.ts'
import type { SdkKeyActor } from '../kernel/actor.ts'
import type { EnvironmentSnapshot } from './environment-snapshot.ts'
import { matchesEtag } from './snapshot-preconditions.ts'
import { audienceOf } from './sse-frame.ts'

/** What a request needs to be answered at once: both give null when the ordinary way must find out. */
export interface SnapshotShortcutDeps {
  readonly findKnownKey: (key: string) => SdkKeyActor | null
  readonly peekSnapshot: (environment_id: string) => EnvironmentSnapshot | undefined
  /** Name and value by turns: what the ordinary way puts on every answer of the endpoint. */
  readonly headers: readonly string[]
  /** Names the request in its answer. */
  readonly newId: () => string
  /** Counts a request of the key; false when it has sent too many, which the ordinary way tells it. */
  readonly take: (actor: SdkKeyActor) => boolean
}

/** Answers the request, or gives false and has done nothing. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean

export const SHORTCUT_PATH = '/flags/snapshot'
const BEARER = 'Bearer '

/**
 * `GET /flags/snapshot` with a known SDK key, of an environment in memory: the poll of many clients, answered without the
 * framework, whose hooks cost several times the answer. Whatever is not plain (a query, an unknown key, nothing compressed
 * yet) takes the ordinary way, which answers the same.
 */
export function createSnapshotShortcut({
  findKnownKey,
  headers,
  newId,
  peekSnapshot,
  take,
}: SnapshotShortcutDeps): Shortcut {
  return (request, response) => {
    if (request.url !== SHORTCUT_PATH || request.method !== 'GET') return false
    const { authorization } = request.headers
    if (!authorization?.startsWith(BEARER)) return false
    const actor = findKnownKey(authorization.slice(BEARER.length))
    const snapshot = actor && peekSnapshot(actor.environment_id)
    if (!actor || !snapshot) return false
    const body = snapshot.body(audienceOf(actor.key_kind))
    const isGzip = acceptsGzip(request.headers['accept-encoding'])
    const isKnown = matchesEtag(request.headers['if-none-match'], body.etag)
    const bytes = isGzip ? body.gzipped : body.identity
    // The count comes last: what is not answered here is counted on the ordinary way.
    if (!(isKnown || bytes) || !take(actor)) return false
    const common = [
      ...headers,
      'x-request-id',
      newId(),
      'etag',
      body.etag,
      'x-environment-id',
      actor.environment_id,
      'cache-control',
      'private, no-cache',
      'vary',
      'accept-encoding, authorization',
    ]
    if (isKnown || !bytes) {
      response.writeHead(304, common).end()
      return true
    }
    common.push('content-type', 'application/json; charset=utf-8')
    if (isGzip) common.push('content-encoding', 'gzip')
    common.push('content-length', String(bytes.length))
    response.writeHead(200, common).end(bytes)
    return true
  }
}
