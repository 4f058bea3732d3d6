/** The most recently used entries, bounded by their bytes. */
export interface RecentEntries<V> {
  get(name: string): V | undefined
  set(name: string, value: V, bytes: number): void
}

/** The share of the bytes that one entry may have. */
const ENTRY_SHARE = 1 / 8

export function createRecentEntries<V>(maxBytes: number): RecentEntries<V> {
  const entries = new Map<string, { readonly value: V; readonly bytes: number }>()
  let held = 0

  function remove(name: string): void {
    held -= entries.get(name)?.bytes ?? 0
    entries.delete(name)
  }

  return {
    get(name) {
      const found = entries.get(name)
      if (!found) return undefined
      // The end of the map is what was used last.
      entries.delete(name)
      entries.set(name, found)
      return found.value
    },
    set(name, value, bytes) {
      remove(name)
      if (bytes > maxBytes * ENTRY_SHARE) return
      entries.set(name, { value, bytes })
      held += bytes
      for (const oldest of entries.keys()) {
        if (held <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
