import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { FlagUpdate } from './stream/flag-update.ts'

/**
 * The flags that evaluations see, and behind them the set that a bootstrap is filling. Evaluations see the old set or
 * the new one, never half of it.
 */
export interface FlagStore {
  /** What evaluations read. */
  readonly current: FlagSet
  /** What a bootstrap is filling: an empty set to begin one, null to forget it. */
  filling: FlagSet | null
  /** Changes the set that is being filled, or else the current one. Returns the keys that evaluations see changed. */
  apply(update: FlagUpdate): string[]
  /** Puts the set in the current one's place. Returns the keys whose flags differ. */
  publish(set: FlagSet | null): string[]
}

/** @param flags What evaluations see until the first set is complete. */
export function createFlagStore(flags: Iterable<unknown>): FlagStore {
  const store = {
    current: createFlagSet(flags),
    filling: null as FlagSet | null,
    apply({ type, key, flag }: FlagUpdate) {
      const set = store.filling ?? store.current
      if (type === 'DELETE') set.remove(key)
      else set.upsert(flag)
      return store.filling ? [] : [key]
    },
    publish(after: FlagSet | null) {
      const before = store.current
      store.current = after ?? before
      if (after === store.filling) store.filling = null
      return [...new Set([...before.keys(), ...store.current.keys()])].filter(
        (key) => JSON.stringify(before.get(key)) !== JSON.stringify(store.current.get(key)),
      )
    },
  }
  return store
}
