import type { Changefeed, StoredChange } from '../../changes/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SentChange } from './client-view.ts'
import {
  createEnvironmentSnapshot,
  type EnvironmentSnapshot,
  type SnapshotSource,
} from './environment-snapshot.ts'

/** The environments that this instance serves from memory, each loaded on first use. */
export interface Snapshots {
  /** Returns the snapshot of an environment; null when it does not exist. */
  get(environment_id: string): Promise<EnvironmentSnapshot | null>
  /**
   * Loads the environments and passes those that exist to `use`, in the turn in which all were found to be up
   * to date. What `use` does synchronously misses no change.
   */
  whenCurrent<T>(
    environmentIds: readonly string[],
    use: (snapshots: readonly EnvironmentSnapshot[]) => T,
  ): Promise<T>
  /** Returns the snapshot if it is already loaded. */
  peek(environment_id: string): EnvironmentSnapshot | undefined
  /** Applies changes, and returns them as streams send them. */
  apply(environment_id: string, changes: readonly StoredChange[]): readonly SentChange[]
  drop(environment_id: string): void
  /** Returns the environments that nothing has requested during this time. */
  unusedFor(ms: number): string[]
  /** Forgets the large encodings that nothing has requested since the last call. */
  forgetUnusedEncodings(): void
}

interface SnapshotsDeps {
  readonly load: (environment_id: string) => Promise<SnapshotSource | null>
  readonly changefeed: Pick<Changefeed, 'follow' | 'unfollow'>
  readonly clock: Pick<Clock, 'monotonicMs'>
}

export function createSnapshots({ changefeed, clock, load }: SnapshotsDeps): Snapshots {
  const loaded = new Map<string, EnvironmentSnapshot>()
  const usedAtMs = new Map<string, number>()
  const loading = new Map<string, Promise<EnvironmentSnapshot | null>>()

  function use(environment_id: string): EnvironmentSnapshot | undefined {
    const snapshot = loaded.get(environment_id)
    if (snapshot) usedAtMs.set(environment_id, clock.monotonicMs())
    return snapshot
  }

  async function loadOnce(environment_id: string): Promise<EnvironmentSnapshot | null> {
    const source = await load(environment_id)
    if (!source) return null
    const snapshot = createEnvironmentSnapshot(source)
    loaded.set(environment_id, snapshot)
    usedAtMs.set(environment_id, clock.monotonicMs())
    changefeed.follow(environment_id, snapshot.revision)
    return snapshot
  }

  async function get(environment_id: string): Promise<EnvironmentSnapshot | null> {
    const known = use(environment_id)
    if (known) return known
    const running = loading.get(environment_id)
    if (running !== undefined) return running
    const started = loadOnce(environment_id).finally(() => loading.delete(environment_id))
    loading.set(environment_id, started)
    return started
  }

  return {
    get,
    async whenCurrent(environmentIds, use) {
      for (;;) {
        const found = await Promise.all(environmentIds.map(get))
        const existing = found.filter((snapshot) => snapshot !== null)
        if (existing.every((snapshot) => loaded.get(snapshot.environment_id) === snapshot))
          return use(existing)
      }
    },
    peek: use,
    apply(environment_id, changes) {
      const snapshot = loaded.get(environment_id)
      return snapshot ? changes.map((change) => snapshot.apply(change)) : changes
    },
    drop(environment_id) {
      loaded.delete(environment_id)
      usedAtMs.delete(environment_id)
      changefeed.unfollow(environment_id)
    },
    unusedFor(ms) {
      const before = clock.monotonicMs() - ms
      return [...usedAtMs].filter(([, atMs]) => atMs < before).map(([environment_id]) => environment_id)
    },
    forgetUnusedEncodings() {
      for (const snapshot of loaded.values()) snapshot.forgetUnused()
    },
  }
}
