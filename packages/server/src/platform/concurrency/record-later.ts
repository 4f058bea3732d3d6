import type { Log } from '../log/log.ts'

/** Records the latest value of each key, without delaying the requests that record. */
export interface Recorder<K, V> {
  record(key: K, value: V): void
  /** Stores what could not be stored before, too. Resolves when all is stored, or storing failed. */
  settled(): Promise<void>
}

interface RecorderDeps<K, V> {
  readonly log: Log
  /** Stores the values in one statement. */
  readonly store: (recorded: ReadonlyMap<K, V>) => Promise<void>
  /** The name of the recorded data, for the log. */
  readonly what: string
}

/** The keys whose values are kept after they could not be stored; those beyond it are forgotten. */
const KEPT_MAX = 20_000

/**
 * Creates a recorder. It runs one statement at a time for everything that was recorded meanwhile, so that
 * many keys cannot occupy the connections. What could not be stored is stored with the next value.
 */
export function createRecorder<K, V>({ log, store, what }: RecorderDeps<K, V>): Recorder<K, V> {
  let noted = new Map<K, V>()
  let storing: Promise<void> | null = null

  async function storeAll(): Promise<void> {
    while (noted.size > 0) {
      const recorded = noted
      noted = new Map()
      try {
        await store(recorded)
      } catch (err) {
        log.warn({ err }, `${what} could not be stored; it is stored with the next one`)
        keep(recorded)
        break
      }
    }
    storing = null
  }

  /** Keeps values for the next attempt. Later values of the same keys replace them. */
  function keep(failed: ReadonlyMap<K, V>): void {
    const later = noted
    noted = new Map(failed)
    for (const [key, value] of later) {
      noted.delete(key)
      noted.set(key, value)
    }
    for (const key of noted.keys()) {
      if (noted.size <= KEPT_MAX) break
      noted.delete(key)
    }
  }

  return {
    record(key, value) {
      noted.set(key, value)
      storing ??= storeAll()
    },
    async settled() {
      if (noted.size > 0) storing ??= storeAll()
      await storing
    },
  }
}
