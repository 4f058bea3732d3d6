import type { Log } from './log.ts'

/** Records the latest value of each key, without delaying the requests that record. */
export interface Recorder<K, V> {
  record(key: K, value: V): void
  /** Resolves when everything recorded so far was stored, or storing it failed. */
  settled(): Promise<void>
}

interface RecorderDeps<K, V> {
  readonly log: Log
  /** Stores the values in one statement. */
  readonly store: (recorded: ReadonlyMap<K, V>) => Promise<void>
  /** The name of the recorded data, for the log. */
  readonly what: string
}

/**
 * Creates a recorder. It runs one statement at a time for everything that was recorded meanwhile, so that
 * many keys cannot occupy the connections.
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
        // The next use is recorded again.
        log.warn({ err }, `${what} could not be stored`)
      }
    }
    storing = null
  }

  return {
    record(key, value) {
      noted.set(key, value)
      storing ??= storeAll()
    },
    async settled() {
      await storing
    },
  }
}
