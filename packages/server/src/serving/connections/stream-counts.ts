/** The SDKs of one environment on one instance. */
export interface StreamCount {
  readonly environment_id: string
  /** The number of open streams. */
  readonly streams: number
  /** The time of the latest connection, ISO 8601 in UTC; null when it was already reported. */
  readonly connected_at: string | null
}

/**
 * Counts the open streams of SDK keys on this instance by environment, and keeps what is not reported yet.
 */
export interface StreamCounts {
  opened(environment_id: string): void
  closed(environment_id: string): void
  /**
   * Returns the counts of an environment. The time, ISO 8601 in UTC, is null when no SDK has connected since
   * the last report.
   */
  of(environment_id: string): Omit<StreamCount, 'environment_id'>
  /**
   * Returns what has changed since the last report; with `all` every environment that has streams as well.
   */
  due(options: { readonly all: boolean }): StreamCount[]
  /** Marks counts as stored; later changes stay due. */
  reported(counts: readonly StreamCount[]): void
}

interface Entry {
  streams: number
  reportedStreams: number
  connected_at: string | null
}

/**
 * Creates the counts. Joining and leaving cost one look-up each, however many streams there are. `now`
 * returns ISO 8601 in UTC.
 */
export function createStreamCounts({ now }: { readonly now: () => string }): StreamCounts {
  const entries = new Map<string, Entry>()

  function entryOf(environment_id: string): Entry {
    const known = entries.get(environment_id)
    if (known) return known
    const entry = { streams: 0, reportedStreams: 0, connected_at: null }
    entries.set(environment_id, entry)
    return entry
  }

  return {
    opened(environment_id) {
      const entry = entryOf(environment_id)
      entry.streams += 1
      entry.connected_at = now()
    },
    closed(environment_id) {
      entryOf(environment_id).streams -= 1
    },
    of(environment_id) {
      const { connected_at = null, streams = 0 } = entries.get(environment_id) ?? {}
      return { streams, connected_at }
    },
    due({ all }) {
      return [...entries]
        .filter(([, entry]) => isUnreported(entry) || (all && entry.streams > 0))
        .map(([environment_id, { connected_at, streams }]) => ({ environment_id, streams, connected_at }))
    },
    reported(counts) {
      for (const { connected_at, environment_id, streams } of counts) {
        const entry = entryOf(environment_id)
        entry.reportedStreams = streams
        if (entry.connected_at === connected_at) entry.connected_at = null
        if (entry.streams === 0 && !isUnreported(entry)) entries.delete(environment_id)
      }
    },
  }
}

const isUnreported = ({ connected_at, reportedStreams, streams }: Entry): boolean =>
  streams !== reportedStreams || connected_at !== null
