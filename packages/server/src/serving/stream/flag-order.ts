import type { WireFlag } from '../../kernel/wire-flag.ts'

/** The flags of an environment ordered by key, so that every instance produces the same bytes. */
export interface FlagOrder {
  /** Returns the flags in their order. The list is not changed later. */
  flags(): readonly WireFlag[]
  /** Follows a change of the flag with this key, which was made already. */
  follow(key: string): void
}

/** Creates the order of the flags, which its caller changes before each `follow`. */
export function createFlagOrder(flags: ReadonlyMap<string, WireFlag>): FlagOrder {
  // The database has sorted them already, which makes this cheap. Later keys are inserted.
  const keys = [...flags.keys()].sort(byCodeUnit)
  let ordered: readonly WireFlag[] | null = null

  return {
    flags() {
      ordered ??= keys.map((key) => flags.get(key)).filter((flag) => flag !== undefined)
      return ordered
    },
    follow(key) {
      ordered = null
      const at = findPlace(keys, key)
      const isListed = keys[at] === key
      if (flags.has(key) && !isListed) keys.splice(at, 0, key)
      if (!flags.has(key) && isListed) keys.splice(at, 1)
    },
  }
}

/** Returns the index of the key, or the one where it belongs. */
function findPlace(keys: readonly string[], key: string): number {
  let from = 0
  let to = keys.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((keys[middle] ?? '') < key) from = middle + 1
    else to = middle
  }
  return from
}

const byCodeUnit = (one: string, other: string): number => (one < other ? -1 : 1)
