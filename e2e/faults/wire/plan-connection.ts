import type { Random } from '../../../packages/server/test/fuzz/random.ts'
import { finalMessage, validMessage, type WireMessage, type WireTarget } from './messages.ts'

/**
 * The end of the client. `wait`: when it has every due response. `half`: it announces immediately that
 * nothing more follows. `leave` and `reset`: it disconnects after so many bytes, properly or not.
 */
type WireEnd =
  | { readonly kind: 'wait' | 'half' }
  | { readonly kind: 'leave' | 'reset'; readonly after: number }

/** The bytes of one connection, its pieces, and its end. */
export interface ConnectionPlan {
  readonly messages: readonly WireMessage[]
  readonly pieces: readonly string[]
  readonly end: WireEnd
}

const MAX_VALID = 6
/** The number of bytes that are sent one by one, each in a turn of the event loop. */
const MAX_SINGLE_BYTES = 600

export function planConnection(target: WireTarget, random: Random): ConnectionPlan {
  const messages = Array.from({ length: random.integer(0, MAX_VALID) }, () => validMessage(target, random))
  if (messages.length === 0 || random.chance(0.5)) messages.push(finalMessage(target, random))
  // Bytes after the end must not be answered.
  const isStream = messages.at(-1)?.outcome === 'stream'
  const isLast = messages.at(-1)?.outcome === 'last'
  if ((isStream || isLast) && random.chance(0.5)) messages.push(validMessage(target, random))
  const bytes = messages.map((message) => message.bytes).join('')
  return { messages, pieces: cutIntoPieces(bytes, random), end: planEnd(bytes.length, random) }
}

function planEnd(length: number, random: Random): WireEnd {
  if (random.chance(0.75)) return { kind: 'wait' }
  if (random.chance(0.3)) return { kind: 'half' }
  return { kind: random.pick(['leave', 'reset'] as const), after: random.integer(0, length) }
}

/** Splits the bytes: all at once, every byte by itself, or anything between. */
function cutIntoPieces(bytes: string, random: Random): string[] {
  if (random.chance(0.5)) return [bytes]
  const isByByte = bytes.length <= MAX_SINGLE_BYTES && random.chance(0.1)
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = isByByte ? 1 : random.integer(1, 1 + Math.ceil(bytes.length / 3))
    pieces.push(bytes.slice(at, at + size))
    at += size
  }
  return pieces
}
