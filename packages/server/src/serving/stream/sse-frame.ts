import type { FlagChange } from '../../changes/index.ts'
import type { KeyKind } from '../../kernel/actor.ts'
import { toClientFlag, toServerFlag, type WireFlag } from '../../kernel/wire-flag.ts'
import type { SentChange } from './client-view.ts'

/**
 * The audience of a stream. Keys receive one environment, with revisions as ids, and client keys without
 * texts for colleagues. A `session` (dashboard) receives several environments, whose revisions have no common
 * order, so it has no ids; `session_with_origins` has requested the origins of rules. `events` (OFREP)
 * receives no flags, only notices of changes.
 */
export type Audience = KeyAudience | SessionAudience | 'events'
export type KeyAudience = 'server' | 'client'
export type SessionAudience = 'session' | 'session_with_origins'

export const isSession = (audience: Audience): audience is SessionAudience =>
  audience === 'session' || audience === 'session_with_origins'

/** Returns the audience of a key. A `reader` key receives what a `server` key does. */
export const audienceOf = (kind: KeyKind): KeyAudience => (kind === 'client' ? 'client' : 'server')

/** Formats the first block of a stream. `event:` comes first, so that it is the first byte on the wire. */
export function connectedFrame(environment_id: string | null): string {
  const retry = environment_id === null ? '' : `retry: ${RECONNECT_HINT_MS}\n`
  return `event: connected\ndata: ${JSON.stringify({ environment_id })}\n${retry}\n`
}
const RECONNECT_HINT_MS = 1000

/** Formats the end of the bootstrap, with the number of flags. */
export const readyFrame = (flagCount: number): string => `event: ready\ndata: ${flagCount}\n\n`

/** A comment line of SSE, which keeps proxies and watchdogs from closing the stream. */
export const KEEP_ALIVE_FRAME = ': keep-alive\n\n'

/**
 * Formats an update without its end: the event and data lines. An optional id line and a blank line follow.
 */
export function upsertLines(environment_id: string, flag: WireFlag, audience: Audience): string {
  const withOrigins = audience === 'session_with_origins' && flag.origins
  const origins = withOrigins ? `,"origins":${JSON.stringify(withOrigins)}` : ''
  return upsertHead(environment_id) + JSON.stringify(seenBy(audience, flag)) + origins + UPSERT_TAIL
}

/** Returns the flag's JSON in the bytes of its `upsertLines`. The bytes are shared, not copied. */
export function flagWithin(environment_id: string, lines: Buffer): Buffer {
  return lines.subarray(upsertHead(environment_id).length, lines.length - UPSERT_TAIL.length)
}

const upsertHead = (environment_id: string) =>
  `event: update\ndata: {"type":"UPSERT","env_id":"${environment_id}","flag":`
const UPSERT_TAIL = '}\n'

function deleteLines(environment_id: string, key: string): string {
  return `event: update\ndata: {"type":"DELETE","env_id":"${environment_id}","key":${JSON.stringify(key)}}\n`
}

export const frameEnd = (audience: Audience, revision: number): string =>
  isSession(audience) ? '\n' : `id: ${revision}\n\n`

/** Formats the frames of a change for an audience; empty when the change is invisible to it. */
export function updateFrame(environment_id: string, change: SentChange, audience: Audience): string {
  if (audience === 'events') return ''
  const changes = (audience === 'client' && change.toClients) || [change]
  const end = frameEnd(audience, change.revision)
  return changes.map((each) => frameOf(environment_id, each, audience, end)).join('')
}

function frameOf(environment_id: string, change: FlagChange, audience: Audience, end: string): string {
  switch (change.kind) {
    case 'none':
      return ''
    case 'delete':
      return deleteLines(environment_id, change.flag_key) + end
    case 'upsert':
      return upsertLines(environment_id, change.flag, audience) + end
  }
}

/** Returns the flag with the fields that the audience receives. */
const seenBy = (audience: Audience, flag: WireFlag): object =>
  audience === 'client' ? toClientFlag(flag) : toServerFlag(flag)

/**
 * Formats one HTTP/1.1 chunk (RFC 9112, section 7.1). An empty payload gives nothing, because an empty chunk
 * would end the response.
 */
export function toChunk(payload: Buffer): Buffer {
  if (payload.length === 0) return payload
  return Buffer.concat([Buffer.from(`${payload.length.toString(16)}\r\n`), payload, CHUNK_END])
}
const CHUNK_END = Buffer.from('\r\n')

/** The chunk that ends a response. */
export const LAST_CHUNK = Buffer.from('0\r\n\r\n')
