import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptsGzip } from '../../kernel/accepts-gzip.ts'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import { matchesEtag } from '../../kernel/matches-etag.ts'
import { ACK_HEADER, CLIENT_HEADER, type SdkClients } from '../../reporting/propagation/index.ts'
import type { EnvironmentSnapshot } from './environment-snapshot.ts'
import { SNAPSHOT_CACHING } from './snapshot-headers.ts'
import { audienceOf } from './sse-frame.ts'

/** The dependencies of the fast path. Both look-ups return null when the ordinary path must decide. */
export interface SnapshotShortcutDeps {
  readonly findKnownKey: (key: string) => SdkKeyActor | null
  readonly peekSnapshot: (environment_id: string) => EnvironmentSnapshot | undefined
  /** The headers of every response of the endpoint, as alternating names and values. */
  readonly headers: readonly string[]
  /** Creates the request id of a response. */
  readonly newId: () => string
  /** Counts a request of the key. False when it has sent too many, which the ordinary path reports. */
  readonly take: (actor: SdkKeyActor) => boolean
  readonly clients: Pick<SdkClients, 'poll'>
}

/** Responds to the request, or returns false without any effect. */
type Shortcut = (
  request: IncomingMessage,
  response: ServerResponse,
  onResponse: (endpoint: string) => void,
) => boolean

const SHORTCUT_PATH = '/flags/snapshot'
const BEARER = 'Bearer '
const CACHING = Object.entries(SNAPSHOT_CACHING).flat()

/**
 * Creates the fast path of `GET /flags/snapshot` with a known SDK key for an environment in memory: the
 * poll of many clients, without the framework, whose hooks cost several times the response. Anything
 * unusual (a query, an unknown key, a body that is large or not encoded yet) takes the ordinary path,
 * which gives the same response.
 */
export function createSnapshotShortcut({
  clients,
  findKnownKey,
  headers,
  newId,
  peekSnapshot,
  take,
}: SnapshotShortcutDeps): Shortcut {
  return (request, response, onResponse) => {
    if (request.url !== SHORTCUT_PATH || request.method !== 'GET') return false
    const { authorization } = request.headers
    if (!authorization?.startsWith(BEARER)) return false
    const actor = findKnownKey(authorization.slice(BEARER.length))
    const snapshot = actor && peekSnapshot(actor.environment_id)
    const body = actor && snapshot?.knownBody(audienceOf(actor.key_kind))
    if (!actor || !body) return false
    const isGzip = acceptsGzip(request.headers['accept-encoding'])
    const isKnown = matchesEtag(request.headers['if-none-match'], body.etag)
    const bytes = isGzip ? body.gzipped : body.identity
    // Counted last: requests that are not handled here are counted on the ordinary path.
    if (!(isKnown || bytes) || !take(actor)) return false
    const common = [
      ...headers,
      'x-request-id',
      newId(),
      'etag',
      body.etag,
      'x-environment-id',
      actor.environment_id,
      ...CACHING,
    ]
    const ack = clients.poll(actor, request.headers[CLIENT_HEADER], body.revision)
    if (ack !== null) common.push(ACK_HEADER, ack)
    if (isKnown || !bytes) {
      response.writeHead(304, common).end()
      onResponse(SHORTCUT_PATH)
      return true
    }
    common.push('content-type', 'application/json; charset=utf-8')
    if (isGzip) common.push('content-encoding', 'gzip')
    common.push('content-length', String(bytes.length))
    response.writeHead(200, common).end(bytes)
    onResponse(SHORTCUT_PATH)
    return true
  }
}
