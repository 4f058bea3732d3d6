/** The time that a `g` waits for the letter after it. */
export const SEQUENCE_MS = 1_500

/** A `g` that was pressed, and when. */
export interface Prefix {
  readonly atMs: number
}

export type Shortcut =
  | { readonly kind: 'go'; readonly key: string }
  | { readonly kind: 'list' | 'search' | 'environment' | 'create' }

interface Reading {
  /** The meaning of the key; null for nothing yet or nothing at all. */
  readonly shortcut: Shortcut | null
  readonly prefix: Prefix | null
}

/** Reads one key that belongs to no field: `?`, `/`, `e`, `c`, or `g` and the letter of a page. */
export function readShortcut(prefix: Prefix | null, key: string, nowMs: number): Reading {
  if (prefix && nowMs - prefix.atMs <= SEQUENCE_MS) {
    return { shortcut: { kind: 'go', key: key.toLowerCase() }, prefix: null }
  }
  if (key === 'g') return { shortcut: null, prefix: { atMs: nowMs } }
  return { shortcut: SINGLE.get(key) ?? null, prefix: null }
}

const SINGLE = new Map<string, Shortcut>([
  ['?', { kind: 'list' }],
  ['/', { kind: 'search' }],
  ['e', { kind: 'environment' }],
  ['c', { kind: 'create' }],
])
