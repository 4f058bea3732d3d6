/** The open streams of one SDK key on one instance. */
export interface KeyStreamCount {
  readonly key_id: number
  readonly streams: number
}

/** Counts the open streams on this instance by SDK key, and keeps what is not reported yet. */
export interface KeyStreamCounts {
  opened(key_id: number): void
  closed(key_id: number): void
  of(key_id: number): number
  /** Returns what has changed since the last report; with `all` every key that has streams as well. */
  due(options: { readonly all: boolean }): KeyStreamCount[]
  /** Marks counts as stored; later changes stay due. */
  reported(counts: readonly KeyStreamCount[]): void
}

export function createKeyStreamCounts(): KeyStreamCounts {
  const entries = new Map<number, { streams: number; reported: number }>()

  function add(key_id: number, difference: 1 | -1): void {
    const entry = entries.get(key_id) ?? { streams: 0, reported: 0 }
    entry.streams += difference
    entries.set(key_id, entry)
  }

  return {
    opened: (key_id) => add(key_id, 1),
    closed: (key_id) => add(key_id, -1),
    of: (key_id) => entries.get(key_id)?.streams ?? 0,
    due: ({ all }) =>
      [...entries]
        .filter(([, { reported, streams }]) => streams !== reported || (all && streams > 0))
        .map(([key_id, { streams }]) => ({ key_id, streams })),
    reported(counts) {
      for (const { key_id, streams } of counts) {
        const entry = entries.get(key_id)
        if (!entry) continue
        entry.reported = streams
        if (entry.streams === 0 && streams === 0) entries.delete(key_id)
      }
    },
  }
}
