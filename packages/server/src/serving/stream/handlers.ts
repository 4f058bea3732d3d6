import { Readable } from 'node:stream'
import type { streamEndpoints } from '@burgee/contract'
import { acceptsGzip } from '../../kernel/accepts-gzip.ts'
import { matchesEtag } from '../../kernel/matches-etag.ts'
import { Refusal, unauthenticated } from '../../kernel/refusal.ts'
import {
  type EncodedReply,
  type EndpointHandlers,
  HIJACKED,
} from '../../platform/replies/endpoint-handler.ts'
import { JSON_HEADERS } from '../../platform/replies/stream-json.ts'
import { ACK_HEADER, CLIENT_HEADER, type SdkClients } from '../../reporting/propagation/index.ts'
import type { Hub } from './hub.ts'
import type { RightsWatch } from './live-flags.ts'
import { openKeyStream } from './open-key-stream.ts'
import { openSessionStream, type ReadableEnvironments } from './open-session-stream.ts'
import type { SnapshotBody } from './snapshot-body.ts'
import { SNAPSHOT_CACHING } from './snapshot-headers.ts'
import type { Snapshots } from './snapshots.ts'
import { audienceOf } from './sse-frame.ts'
import type { StreamLimits } from './stream-limits.ts'

export interface StreamDeps {
  readonly hub: Hub
  readonly snapshots: Snapshots
  readonly clients: SdkClients
  readonly readable: ReadableEnvironments
  readonly rights: RightsWatch
  readonly limits: StreamLimits
}

export function streamHandlers(deps: StreamDeps): EndpointHandlers<typeof streamEndpoints> {
  return {
    async openStream({ actor, query, raw }) {
      const generation = deps.rights.generation()
      const leave = deps.limits.enter(actor)
      try {
        await raw.waitForTurn()
        const connection =
          actor.kind === 'sdk_key'
            ? await openKeyStream(deps, actor, raw)
            : await openSessionStream(deps, actor, sessionOptions(query), raw)
        if (connection?.open) connection.onClose(leave)
        else leave()
      } catch (error) {
        leave()
        throw error
      }
      // Rights changed while flags were loading, and the review may have run before this stream was
      // registered. A session was read from the database before that, so its stream is always reviewed once
      // more.
      if (actor.kind === 'user' || deps.rights.generation() !== generation) deps.rights.reviewSoon()
      return HIJACKED
    },
    async getSnapshot({ actor, headers }) {
      if (actor.kind !== 'sdk_key')
        throw new Refusal('malformed', 'The snapshot is for SDK keys; send one as a bearer.')
      const snapshot = await deps.snapshots.get(actor.environment_id)
      if (!snapshot) throw unauthenticated('The environment of this SDK key was deleted.')
      const body = await snapshot.body(audienceOf(actor.key_kind))
      const ack = deps.clients.poll(actor, headers[CLIENT_HEADER], body.revision)
      const common = {
        ...(ack !== null && { [ACK_HEADER]: ack }),
        etag: body.etag,
        'x-environment-id': actor.environment_id,
        ...SNAPSHOT_CACHING,
      }
      if (matchesEtag(headers['if-none-match'], body.etag))
        return { status: 304, body: null, headers: common }
      return replyWithBody(body, common, acceptsGzip(headers['accept-encoding']))
    },
  }
}

async function replyWithBody(
  body: SnapshotBody,
  common: Readonly<Record<string, string>>,
  isGzip: boolean,
): Promise<EncodedReply> {
  const { length, pieces } = isGzip ? await body.gzip() : { length: body.length, pieces: null }
  const headers = {
    ...common,
    ...JSON_HEADERS,
    ...(isGzip && { 'content-encoding': 'gzip' }),
    'content-length': String(length),
  }
  const [only, ...others] = pieces ?? [body.identity]
  if (only && others.length === 0) return { status: 200, bytes: only, headers }
  const bytes = Readable.from(pieces ?? body.pieces(), { objectMode: false, highWaterMark: PIECE_BYTES })
  return { status: 200, bytes, headers }
}
/** The bytes of a large body that wait for its reader. */
const PIECE_BYTES = 64 * 1024

const sessionOptions = (query: { readonly environment_id?: string; readonly origins?: boolean }) => ({
  audience: query.origins ? ('session_with_origins' as const) : ('session' as const),
  narrowedTo: query.environment_id?.toLowerCase() ?? null,
})
