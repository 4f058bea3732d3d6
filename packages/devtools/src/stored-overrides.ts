import type { JsonValue } from '@burgee/sdk'

export type Overrides = Readonly<Record<string, JsonValue>>

/** The values that are forced in this browser. */
export interface StoredOverrides {
  read(): Overrides
  /** Stores the values; without any, the item is removed. Returns whether that was possible. */
  write(overrides: Overrides): boolean
}

/** The longest text that is read or written, in characters. */
const MAX_LENGTH = 100_000

/**
 * Keeps the values in a storage. Content that is too long or no object counts as nothing, and so does a
 * storage that the browser forbids.
 * @param storage Returns `localStorage`, or throws where the browser forbids it.
 */
export function createStoredOverrides(
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  name: string,
): StoredOverrides {
  return {
    read() {
      try {
        const text = storage().getItem(name) ?? '{}'
        const values: unknown = text.length > MAX_LENGTH ? {} : JSON.parse(text)
        // What JSON.parse returns in an object is JSON.
        return values && typeof values === 'object' && !Array.isArray(values) ? (values as Overrides) : {}
      } catch {
        return {}
      }
    },
    write(overrides) {
      try {
        const text = JSON.stringify(overrides)
        if (text.length > MAX_LENGTH) return false
        if (text === '{}') storage().removeItem(name)
        else storage().setItem(name, text)
        return true
      } catch {
        return false
      }
    },
  }
}
