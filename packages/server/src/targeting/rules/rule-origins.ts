import type { RuleOrigin } from '@burgee/contract'

/**
 * The segments that an alternative comes through: one and what lies within it, or those of two alternatives
 * that hold together. It is a tree, so that combining alternatives copies no lists.
 */
export type Path =
  | { readonly key: string; readonly within: Path | undefined }
  | { readonly first: Path; readonly second: Path }

export const bothPaths = (first: Path | undefined, second: Path | undefined): Path | undefined =>
  first && second ? { first, second } : (first ?? second)

/** The segments of an alternative, and the places of its path, that are looked at. */
const SEGMENTS_MAX = 10
const VISITED_MAX = 100

/** Returns the distinct segments of a path in the order of reading, at most ten. */
function segmentsOf(path: Path | undefined): string[] {
  const keys = new Set<string>()
  const waiting = path ? [path] : []
  for (let visited = 0; visited < VISITED_MAX && keys.size < SEGMENTS_MAX; visited += 1) {
    const next = waiting.pop()
    if (!next) break
    if ('key' in next) {
      keys.add(next.key)
      if (next.within) waiting.push(next.within)
    } else waiting.push(next.second, next.first)
  }
  return [...keys]
}

/**
 * Returns the chains of a path where there are several: segments within each other are one, those that hold
 * together are several. At most ten of them, and ten segments of each.
 */
function chainsOf(path: Path | undefined): string[][] | undefined {
  const chains: string[][] = []
  const waiting: { path: Path; above: readonly string[] }[] = path ? [{ path, above: [] }] : []
  for (let visited = 0; visited < VISITED_MAX && chains.length < SEGMENTS_MAX; visited += 1) {
    const next = waiting.pop()
    if (!next) break
    const { above, path: own } = next
    if (!('key' in own)) waiting.push({ path: own.second, above }, { path: own.first, above })
    else if (own.within && above.length < SEGMENTS_MAX - 1)
      waiting.push({ path: own.within, above: [...above, own.key] })
    else chains.push([...above, own.key])
  }
  return chains.length > 1 ? chains : undefined
}

/** The characters of segment keys above which a flag's origins are only the indexes of its rules. */
const KEYS_LENGTH_MAX = 64 * 1024

/** Collects the origins of expanded rules, in their order. */
export function createOrigins() {
  let origins: RuleOrigin[] = []
  let keysLength = 0

  function add(rule_index: number, path: Path | undefined): void {
    const isShort = keysLength <= KEYS_LENGTH_MAX
    const segment_keys = isShort ? segmentsOf(path) : []
    const segment_paths = isShort ? chainsOf(path) : undefined
    const origin = { rule_index, segment_keys, ...(segment_paths && { segment_paths }), count: 1 }
    const last = origins.at(-1)
    if (last && isSame(last, origin)) {
      origins[origins.length - 1] = { ...last, count: last.count + 1 }
      return
    }
    keysLength += [segment_keys, ...(segment_paths ?? [])].flat().reduce((sum, key) => sum + key.length, 0)
    origins.push(origin)
    if (keysLength > KEYS_LENGTH_MAX) origins = withoutKeys(origins)
  }

  return {
    add,
    /** Returns the origins; undefined where each of the `written` rules is the expanded one at its place. */
    list(written: number): readonly RuleOrigin[] | undefined {
      const isPlain = ({ count, rule_index, segment_keys }: RuleOrigin, at: number) =>
        rule_index === at && count === 1 && segment_keys.length === 0
      return origins.length === written && origins.every(isPlain) ? undefined : origins
    },
  }
}

const isSame = (one: RuleOrigin, other: RuleOrigin): boolean =>
  one.rule_index === other.rule_index &&
  isSameList(one.segment_keys, other.segment_keys) &&
  one.segment_paths?.length === other.segment_paths?.length &&
  (one.segment_paths ?? []).every((keys, at) => isSameList(keys, other.segment_paths?.[at] ?? []))

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((key, at) => other[at] === key)

function withoutKeys(origins: readonly RuleOrigin[]): RuleOrigin[] {
  const joined: RuleOrigin[] = []
  for (const { count, rule_index } of origins) {
    const last = joined.at(-1)
    if (last?.rule_index === rule_index) joined[joined.length - 1] = { ...last, count: last.count + count }
    else joined.push({ rule_index, segment_keys: [], count })
  }
  return joined
}
