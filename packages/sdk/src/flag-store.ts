import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { FlagUpdate } from './stream/flag-update.ts'

/**
 * The flags that evaluations see, and behind them the set that a bootstrap is filling. Evaluations see the old set or
 * the new one, never half of it.
 */
export interface FlagStore {
  /** What evaluations read. */
  readonly current: FlagSet
  /** Starts an empty set behind the current one. */
  begin(): void
  /** Changes the set that is being filled, or else the current one. Returns the keys that evaluations see changed. */
  apply(update: FlagUpdate): string[]
  /** Puts the filled set in the current one's place, or the flags given. Returns the keys whose flags differ. */
  publish(flags?: Iterable<unknown>): string[]
  /** Forgets the set that was being filled. */
  discard(): void
}

/** @param flags What evaluations see until the first set is complete. */
export function createFlagStore(flags: Iterable<unknown>): FlagStore {
  let filling: FlagSet | null = null
  const store = {
    current: createFlagSet(flags),
    begin() {
      filling = createFlagSet()
    },
    apply(update: FlagUpdate) {
      const set = filling ?? store.current
      if (update.type === 'UPSERT') set.upsert(update.flag)
      else set.remove(update.key)
      return filling ? [] : [update.key]
    },
    publish(given?: Iterable<unknown>) {
      const before = store.current
      const after = given ? createFlagSet(given) : (filling ?? before)
      if (!given) filling = null
      store.current = after
      return [...new Set([...before.keys(), ...after.keys()])].filter(
        (key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)),
      )
    },
    discard() {
      filling = null
    },
  }
  return store
}
