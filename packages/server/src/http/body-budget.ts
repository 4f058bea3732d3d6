/** A request body, from its first byte until its request was answered. */
export interface HeldBody {
  /** Counts bytes that have arrived. */
  add(bytes: number): void
  /** The whole body has arrived: it is no longer refused in favor of others. */
  complete(): void
  /** Frees its bytes. May be called more than once. */
  release(): void
}

/** Bounds the bytes of all request bodies in memory. */
export interface BodyBudget {
  /** `refuse` is called when the body has to make room for others; its bytes are free by then. */
  hold(refuse: () => void): HeldBody
}

interface Entry {
  bytes: number
  readonly refuse: () => void
}

/**
 * When the budget is used up, the body that has been arriving for the longest time is refused: an honest sender is done
 * in a moment, and one that stalls is always among the oldest.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  /** In the order of their first bytes. */
  const arriving = new Set<Entry>()
  let held = 0

  function release(entry: Entry): void {
    arriving.delete(entry)
    held -= entry.bytes
    entry.bytes = 0
  }

  function makeRoom(): void {
    for (const entry of arriving) {
      if (held <= maxBytes) return
      release(entry)
      entry.refuse()
    }
  }

  return {
    hold(refuse) {
      const entry = { bytes: 0, refuse }
      arriving.add(entry)
      return {
        add(bytes) {
          // A refused body may still have a piece on its way.
          if (!arriving.has(entry)) return
          entry.bytes += bytes
          held += bytes
          makeRoom()
        },
        complete: () => void arriving.delete(entry),
        release: () => release(entry),
      }
    },
  }
}
