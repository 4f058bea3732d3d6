import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SdkKeyActor } from '../kernel/actor.ts'
import type { EnvironmentSnapshot } from './environment-snapshot.ts'
import { acceptsGzip, matchesEtag } from './snapshot-preconditions.ts'

/** What a request needs to be answered at once: both give null when the ordinary way must find out. */
export interface SnapshotShortcutDeps {
  readonly findKnownKey: (key: string) => SdkKeyActor | null
  readonly peekSnapshot: (environment_id: string) => EnvironmentSnapshot | undefined
  /** Name and value by turns: what the ordinary way puts on every answer of the endpoint. */
  readonly headers: readonly string[]
}

/** Answers the request, or gives false and has done nothing. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean

const PATH = '/flags/snapshot'
const BEARER = 'Bearer '

/**
 * `GET /flags/snapshot` with a known SDK key, of an environment in memory: the poll of many clients, answered without the
 * framework, whose hooks cost several times the answer. Whatever is not plain (a query, an unknown key, nothing compressed
 * yet) takes the ordinary way, which answers the same.
 */
export function createSnapshotShortcut({
  findKnownKey,
  headers,
  peekSnapshot,
}: SnapshotShortcutDeps): Shortcut {
  return (request, response) => {
    if (request.url !== PATH || request.method !== 'GET') return false
    const { authorization } = request.headers
    if (!authorization?.startsWith(BEARER)) return false
    const actor = findKnownKey(authorization.slice(BEARER.length))
    const snapshot = actor && peekSnapshot(actor.environment_id)
    if (!actor || !snapshot) return false
    const body = snapshot.body(actor.key_kind)
    const common = [
      ...headers,
      'etag',
      body.etag,
      'x-environment-id',
      actor.environment_id,
      'cache-control',
      'private, no-cache',
      'vary',
      'accept-encoding, authorization',
    ]
    if (matchesEtag(request.headers['if-none-match'], body.etag)) {
      response.writeHead(304, common).end()
      return true
    }
    const is_gzip = acceptsGzip(request.headers['accept-encoding'])
    const bytes = is_gzip ? body.gzipped : body.identity
    if (!bytes) return false
    common.push('content-type', 'application/json; charset=utf-8')
    if (is_gzip) common.push('content-encoding', 'gzip')
    common.push('content-length', String(bytes.length))
    response.writeHead(200, common).end(bytes)
    return true
  }
}
