import type { SdkKeyActor } from '../../kernel/actor.ts'

/** The state of rights at a look-up. It is equal only while no change is known. */
export interface AccessVersion {
  /** The number of changes that this instance received. */
  readonly generation: number
  /** The database's counter, as the last poll read it. */
  readonly access_revision: number
}

export const isSameVersion = (left: AccessVersion, right: AccessVersion): boolean =>
  left.generation === right.generation && left.access_revision === right.access_revision

/** A key that was valid at `confirmedAtMs` of the monotonic clock. */
export interface KnownKey {
  readonly actor: SdkKeyActor
  version: AccessVersion
  confirmedAtMs: number
}

/** Keys that were valid at their last look-up, by hash: the `max` most recent ones. */
export interface KnownKeys {
  get(hash: string): KnownKey | undefined
  /** Returns a key by its id, which is null for the legacy key. */
  withId(key_id: number | null): KnownKey | undefined
  /**
   * Stores a key and returns its actor: the known one when nothing has changed, because streams reference it.
   */
  remember(hash: string, key: KnownKey): SdkKeyActor
  forget(hash: string): void
  entries(): [hash: string, key: KnownKey][]
}

export function createKnownKeys(max: number): KnownKeys {
  const known = new Map<string, KnownKey>()
  return {
    get: (hash) => known.get(hash),
    withId(key_id) {
      for (const key of known.values()) if (key.actor.key_id === key_id) return key
      return undefined
    },
    remember(hash, key) {
      const before = known.get(hash)?.actor
      const actor = before && isSameHolder(before, key.actor) ? before : key.actor
      known.delete(hash)
      known.set(hash, { ...key, actor })
      for (const oldest of known.keys()) {
        if (known.size <= max) break
        known.delete(oldest)
      }
      return actor
    },
    forget: (hash) => void known.delete(hash),
    entries: () => [...known],
  }
}

const isSameHolder = (left: SdkKeyActor, right: SdkKeyActor): boolean =>
  left.key_id === right.key_id &&
  left.name === right.name &&
  left.key_kind === right.key_kind &&
  left.project_id === right.project_id &&
  left.environment_id === right.environment_id &&
  left.mayManage === right.mayManage &&
  left.createdBy === right.createdBy &&
  left.isSeeded === right.isSeeded
