import type { StoredChange } from '../changes/index.ts'
import type { KeyKind } from '../kernel/actor.ts'
import { toClientFlag } from '../kernel/wire-flag.ts'

/**
 * How a stream is encoded: keys receive one environment, with revisions as ids, a client key
 * without the words meant for colleagues; a `session` (dashboard) receives several environments, whose revisions
 * would not be one order, so it has no ids.
 */
export type Audience = 'server' | 'client' | 'session'

/** A `reader` key receives what a `server` key does. */
export const audienceOf = (kind: KeyKind): 'server' | 'client' => (kind === 'client' ? 'client' : 'server')

/** The first block of a stream. `event:` comes first, so that it is the first byte on the wire. */
export function connectedFrame(environment_id: string | null): string {
  const retry = environment_id === null ? '' : `retry: ${RECONNECT_HINT_MS}\n`
  return `event: connected\ndata: ${JSON.stringify({ environment_id })}\n${retry}\n`
}
const RECONNECT_HINT_MS = 1000

/** Ends the bootstrap: how many flags there were. */
export const readyFrame = (flagCount: number): string => `event: ready\ndata: ${flagCount}\n\n`

/** An SSE comment line: keeps proxies and watchdogs content. */
export const KEEP_ALIVE_FRAME = ': keep-alive\n\n'

/** An update without its end: event and data lines. What follows is an id line or nothing, and a blank line. */
export function upsertLines(environment_id: string, flag: object): string {
  return upsertHead(environment_id) + JSON.stringify(flag) + UPSERT_TAIL
}

/** The flag's JSON within the bytes of its `upsertLines`; the bytes are shared, not copied. */
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
  audience === 'session' ? '\n' : `id: ${revision}\n\n`

/** The whole frame of a change for an audience; empty where the audience sees nothing of it. */
export function updateFrame(environment_id: string, change: StoredChange, audience: Audience): string {
  switch (change.kind) {
    case 'none':
      return ''
    case 'delete':
      return deleteLines(environment_id, change.flag_key) + frameEnd(audience, change.revision)
    case 'upsert': {
      const flag = audience === 'client' ? toClientFlag(change.flag) : change.flag
      return upsertLines(environment_id, flag) + frameEnd(audience, change.revision)
    }
  }
}

/** One HTTP/1.1 chunk (RFC 9112, section 7.1). Nothing gives nothing: an empty chunk would end the answer. */
export function toChunk(payload: Buffer): Buffer {
  if (payload.length === 0) return payload
  return Buffer.concat([Buffer.from(`${payload.length.toString(16)}\r\n`), payload, CHUNK_END])
}
const CHUNK_END = Buffer.from('\r\n')

/** The chunk that ends an answer. */
export const LAST_CHUNK = Buffer.from('0\r\n\r\n')
