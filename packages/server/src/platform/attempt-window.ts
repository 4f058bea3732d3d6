import type { Clock } from './clock.ts'

/** Counts attempts by key (an address) within a window that begins with the key's first one. In memory, of this instance. */
export interface AttemptWindow {
  /** Whole seconds until the key may try again, or `amount` times; null while it may. */
  retryAfterSeconds(key: string, amount?: number): number | null
  /** Counts one attempt, or `amount`. Gives the function that takes it back. */
  count(key: string, amount?: number): () => void
  /** How many attempts are left to the key. */
  left(key: string): number
}

interface Entry {
  readonly endsAtMs: number
  attempts: number
}

/** Above this many keys one is forgotten for each new one, so that a flood of addresses cannot fill the memory. */
const MAX_KEYS = 10_000
/** Of so many of the oldest keys the one with the fewest attempts is forgotten. */
const EVICTION_SAMPLE = 64

/** At most `limit` attempts a key in `windowMs`. */
export function createAttemptWindow(
  { clock }: { readonly clock: Clock },
  { limit, windowMs, maxKeys = MAX_KEYS }: { limit: number; windowMs: number; maxKeys?: number },
): AttemptWindow {
  /** In the order in which their windows began. */
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

  /** All windows are equally long, so the ended ones come first. */
  function dropEnded(nowMs: number): void {
    for (const [key, { endsAtMs }] of entries) {
      if (endsAtMs > nowMs) return
      entries.delete(key)
    }
  }

  /** A key that has used its attempts stays: fresh addresses must not free a blocked one. */
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
