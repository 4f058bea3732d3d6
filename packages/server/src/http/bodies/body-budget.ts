/** A request body, from its first byte until the response. */
export interface HeldBody {
  /** Counts bytes that have arrived. */
  add(bytes: number): void
  /** Marks the body as complete: it is no longer refused in favor of others. */
  complete(): void
  /** Releases its bytes. It may be called more than once. */
  release(): void
}

/** Bounds the bytes of all request bodies in memory. */
export interface BodyBudget {
  /**
   * Registers a body. `refuse` is called when it must make room for others; its bytes are released by then.
   */
  hold(refuse: () => void): HeldBody
}

interface Entry {
  bytes: number
  readonly refuse: () => void
}

/**
 * Creates the budget. When it is used up, the body that has been arriving longest is refused: a normal sender
 * finishes quickly, and one that stalls is always among the oldest.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  /** Entries in the order of their first bytes. */
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
          // A piece of a refused body may still arrive.
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
