import type { Clock } from '../clock.ts'

/**
 * Limits attempts by key (an address) within a fixed window that starts with the key's first attempt. It is
 * in memory, for this instance.
 */
export interface AttemptWindow {
  /** Returns the whole seconds until the key may try again, or `amount` times; null when it may now. */
  retryAfterSeconds(key: string, amount?: number): number | null
  /** Counts one attempt, or `amount`. Returns a function that undoes it. */
  count(key: string, amount?: number): () => void
  /** Returns the number of attempts that the key has left. */
  left(key: string): number
}

interface Entry {
  readonly endsAtMs: number
  attempts: number
}

/**
 * The number of keys above which each new key evicts one, so that a flood of addresses cannot fill the
 * memory.
 */
const MAX_KEYS = 10_000
/** The number of the oldest keys among which the one with the fewest attempts is evicted. */
const EVICTION_SAMPLE = 64

/** Creates a window of `limit` attempts for each key in `windowMs`. */
export function createAttemptWindow(
  { clock }: { readonly clock: Clock },
  { limit, windowMs, maxKeys = MAX_KEYS }: { limit: number; windowMs: number; maxKeys?: number },
): AttemptWindow {
  /** Entries in the order in which their windows started. */
  const entries = new Map<string, Entry>()

  function current(key: string, nowMs: number): Entry | undefined {
    const entry = entries.get(key)
    if (entry && entry.endsAtMs > nowMs) return entry
    entries.delete(key)
    return undefined
  }

  function begin(key: string, nowMs: number): Entry {
    const entry = { endsAtMs: nowMs + windowMs, attempts: 0 }
    dropEnded(nowMs)
    if (entries.size >= maxKeys) evict()
    entries.set(key, entry)
    return entry
  }

  /** Removes ended windows. All have the same length, so ended ones come first. */
  function dropEnded(nowMs: number): void {
    for (const [key, { endsAtMs }] of entries) {
      if (endsAtMs > nowMs) return
      entries.delete(key)
    }
  }

  /** Evicts a key. A key without attempts left stays: new addresses must not unblock it. */
  function evict(): void {
    let evicted: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    let seen = 0
    for (const [key, { attempts }] of entries) {
      if (attempts < fewest) {
        evicted = key
        fewest = attempts
      }
      seen += 1
      if (seen === EVICTION_SAMPLE) break
    }
    if (evicted !== undefined) entries.delete(evicted)
  }

  return {
    retryAfterSeconds(key, amount = 1) {
      const nowMs = clock.monotonicMs()
      const entry = current(key, nowMs)
      if (!entry || entry.attempts + amount <= limit) return null
      return Math.ceil((entry.endsAtMs - nowMs) / 1000)
    },
    left(key) {
      return Math.max(0, limit - (current(key, clock.monotonicMs())?.attempts ?? 0))
    },
    count(key, amount = 1) {
      const nowMs = clock.monotonicMs()
      const entry = current(key, nowMs) ?? begin(key, nowMs)
      entry.attempts += amount
      let takenBack = false
      return () => {
        if (!takenBack) entry.attempts -= amount
        takenBack = true
      }
    },
  }
}
