import type { WireFlag } from '../../kernel/wire-flag.ts'
import { flagWithin, isSession, type KeyAudience, type SessionAudience, upsertLines } from './sse-frame.ts'

export type FlagAudience = KeyAudience | SessionAudience

/**
 * The flags of one environment as lines of a stream, each encoded once. Stream and snapshot share the
 * bytes, and after a change only one flag is encoded again.
 */
export interface FlagLines {
  /** Returns the lines of a flag, which are encoded on first use. */
  of(audience: FlagAudience, flag: WireFlag): Buffer
  /** Returns the JSON of a flag, in the bytes of its lines. */
  jsonOf(audience: KeyAudience, flag: WireFlag): Buffer
  /** Returns whether the lines of a flag are encoded already. */
  has(audience: FlagAudience, flag: WireFlag): boolean
  /** Returns the bytes that were encoded since lines were forgotten. */
  encodedBytes(): number
  /** Forgets all lines, which are encoded again when they are needed. */
  forgetAll(): void
}

export function createFlagLines(environment_id: string): FlagLines {
  // By flag and not by key: an earlier state that a stream still sends does not replace the present one.
  let known = noLines()
  let encodedBytes = 0

  function of(audience: FlagAudience, flag: WireFlag): Buffer {
    const shared = sharedAudience(audience, flag)
    const kept = shared && known[shared].get(flag)
    if (kept) return kept
    const lines = Buffer.from(upsertLines(environment_id, flag, audience))
    if (shared) {
      known[shared].set(flag, lines)
      encodedBytes += lines.length
    }
    return lines
  }

  return {
    of,
    jsonOf: (audience, flag) => flagWithin(environment_id, of(audience, flag)),
    has(audience, flag) {
      const shared = sharedAudience(audience, flag)
      return shared !== null && known[shared].has(flag)
    },
    encodedBytes: () => encodedBytes,
    forgetAll() {
      known = noLines()
      encodedBytes = 0
    },
  }
}

const noLines = () => ({ server: new WeakMap<WireFlag, Buffer>(), client: new WeakMap<WireFlag, Buffer>() })

/**
 * Returns whose lines an audience shares. Sessions receive what server keys do. Few of them request
 * origins, and few flags have some: such lines are not kept.
 */
function sharedAudience(audience: FlagAudience, flag: WireFlag): KeyAudience | null {
  if (!isSession(audience)) return audience
  return audience === 'session' || flag.origins === undefined ? 'server' : null
}
