import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { FlagUpdate } from './stream/flag-update.ts'

/**
 * The flags that evaluations read, and separately the set that a bootstrap collects. Evaluations see the old
 * set or the new one, never a mixture.
 */
export interface FlagStore {
  /** The set that evaluations read. */
  readonly current: FlagSet
  /** The set that a bootstrap collects: an empty set starts one, null discards it. */
  filling: FlagSet | null
  /** The latest revision of a flag of the current set. */
  readonly revision: number
  /** The environment from which flags came; null before the first connection. */
  environmentId: string | null
  /**
   * Changes the set that is being collected, or else the current one. Returns the keys whose evaluation
   * changes.
   */
  apply(update: FlagUpdate): string[]
  /** Replaces the current set. Returns the keys whose flags differ. */
  publish(set: FlagSet | null): string[]
}

/** @param flags The flags to evaluate until the first set is complete. */
export function createFlagStore(flags: Iterable<unknown>): FlagStore {
  const current = createFlagSet(flags)
  const store = {
    current,
    revision: latestRevision(current),
    // Widened to the type of the field: null at the start.
    filling: null as FlagSet | null,
    environmentId: null as string | null,
    apply({ type, key, flag }: FlagUpdate) {
      const set = store.filling ?? store.current
      if (type === 'DELETE') set.remove(key)
      else set.upsert(flag)
      if (store.filling) return []
      store.revision = Math.max(store.revision, revisionOf(flag))
      return [key]
    },
    publish(after: FlagSet | null) {
      const before = store.current
      store.current = after ?? before
      store.revision = latestRevision(store.current)
      if (after === store.filling) store.filling = null
      return [...new Set([...before.keys(), ...store.current.keys()])].filter(
        (key) => JSON.stringify(before.get(key)) !== JSON.stringify(store.current.get(key)),
      )
    },
  }
  return store
}

function revisionOf(flag: unknown): number {
  // Flags come from the server unchecked.
  const { revision } = Object(flag) as { revision?: unknown }
  return typeof revision === 'number' ? revision : 0
}

function latestRevision(set: FlagSet): number {
  let latest = 0
  for (const key of set.keys()) latest = Math.max(latest, revisionOf(set.get(key)))
  return latest
}
