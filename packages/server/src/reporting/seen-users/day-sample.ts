import type { Sighting } from './seen-user.ts'

/** The time after which the attributes of a known user are stored again. */
const REFRESHED_AFTER_MS = 10 * 60_000
/** The mark of a user who was stored without a context. */
const WITHOUT_CONTEXT = 0

/** The users of one environment and day whom this instance has stored or is about to store. */
export interface DaySample {
  readonly day: string
  /** The number of users in memory. */
  readonly size: number
  /** Adds a sighting. Returns the bytes that it takes until it is stored; 0 for what is not stored. */
  add(sighting: Sighting): number
  /** Takes what is to be stored. */
  take(): readonly Sighting[]
  /** Remembers what was stored. `bound` is the greatest hash that the table keeps; null below its limit. */
  remember(stored: readonly Sighting[], bound: Buffer | null): void
  forget(user_hash: Buffer): void
}

/** Creates an empty sample. It ignores known users, and hashes beyond those that the table keeps. */
export function createDaySample(day: string): DaySample {
  /** The time of storing by hash, as text: one character a byte keeps the order. */
  const known = new Map<string, number>()
  let pending = new Map<string, Sighting>()
  let bound: string | null = null

  function isStored(key: string, { context, seen_at }: Sighting): boolean {
    const storedAt = known.get(key)
    if (storedAt === undefined) return false
    return context === null || (storedAt !== WITHOUT_CONTEXT && seen_at - storedAt < REFRESHED_AFTER_MS)
  }

  return {
    day,
    get size() {
      return known.size + pending.size
    },
    add(sighting) {
      const key = toText(sighting.user_hash)
      if ((bound !== null && key > bound) || isStored(key, sighting)) return 0
      const before = pending.get(key)
      if (before && (before.context !== null || sighting.context === null)) return 0
      pending.set(key, sighting)
      return bytesOf(sighting)
    },
    take() {
      const taken = [...pending.values()]
      pending = new Map()
      return taken
    },
    remember(stored, greatest) {
      for (const { context, seen_at, user_hash } of stored)
        known.set(toText(user_hash), context === null ? WITHOUT_CONTEXT : seen_at)
      if (greatest === null) return
      bound = toText(greatest)
      for (const key of known.keys()) if (key > bound) known.delete(key)
    },
    forget(user_hash) {
      pending.delete(toText(user_hash))
      known.delete(toText(user_hash))
    },
  }
}

const toText = (hash: Buffer): string => hash.toString('latin1')

const SIGHTING_BYTES = 200
const bytesOf = ({ context, user_key }: Sighting): number =>
  SIGHTING_BYTES + 2 * (user_key.length + (context?.length ?? 0))
