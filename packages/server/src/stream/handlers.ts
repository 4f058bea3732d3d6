import type { streamEndpoints } from '@burgee/contract'
import { type EndpointHandlers, HIJACKED } from '../kernel/endpoint-handler.ts'
import { Refusal, unauthenticated } from '../kernel/refusal.ts'
import type { Hub } from './hub.ts'
import type { RightsWatch } from './live-flags.ts'
import { openKeyStream } from './open-key-stream.ts'
import { openSessionStream, type ReadableEnvironments } from './open-session-stream.ts'
import type { Snapshots } from './snapshots.ts'

export interface StreamDeps {
  readonly hub: Hub
  readonly snapshots: Snapshots
  readonly readable: ReadableEnvironments
  readonly rights: RightsWatch
}

export function streamHandlers(deps: StreamDeps): EndpointHandlers<typeof streamEndpoints> {
  return {
    async openStream({ actor, query, raw }) {
      const generation = deps.rights.generation()
      if (actor.kind === 'sdk_key') await openKeyStream(deps, actor, raw)
      else await openSessionStream(deps, actor, query.environment_id?.toLowerCase() ?? null, raw)
      // Rights changed while flags were loading: the review may have come before this stream was there to be seen. A
      // session was read from the database before that, so its stream is always looked at once more.
      if (actor.kind === 'user' || deps.rights.generation() !== generation) deps.rights.reviewSoon()
      return HIJACKED
    },
    async getSnapshot({ actor, headers }) {
      if (actor.kind !== 'sdk_key')
        throw new Refusal('malformed', 'The snapshot is for SDK keys; send one as a bearer.')
      const snapshot = await deps.snapshots.get(actor.environment_id)
      if (!snapshot) throw unauthenticated('The environment of this SDK key is gone.')
      const body = snapshot.body(actor.key_kind)
      const common = {
        etag: body.etag,
        'x-environment-id': actor.environment_id,
        'cache-control': 'private, no-cache',
        vary: 'accept-encoding, authorization',
      }
      if (matches(headers['if-none-match'], body.etag)) return { status: 304, body: null, headers: common }
      const typed = { ...common, 'content-type': 'application/json; charset=utf-8' }
      if (!acceptsGzip(headers['accept-encoding']))
        return { status: 200, bytes: body.identity, headers: typed }
      return { status: 200, bytes: await body.gzip(), headers: { ...typed, 'content-encoding': 'gzip' } }
    },
  }
}

/** If-None-Match (RFC 9110, section 13.1.2): weak comparison with any tag of the list. */
function matches(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false
  if (if_none_match === etag) return true
  return if_none_match.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}

/** Accept-Encoding (RFC 9110, section 12.5.3): gzip named with a weight above 0, or `*` where gzip is not named. */
function acceptsGzip(accept_encoding = ''): boolean {
  const weights = new Map(
    accept_encoding.split(',').map((entry) => {
      const [coding = '', ...parameters] = entry
        .toLowerCase()
        .split(';')
        .map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [coding, weight === undefined ? 1 : Number(weight)]
    }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
