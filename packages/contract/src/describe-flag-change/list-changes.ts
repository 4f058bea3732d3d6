import { canonicalJson, sameJson } from './same-json.ts'

interface ListWords<T> {
  /** Singular; its plural takes an s. */
  readonly noun: string
  /** What makes it the same item. */
  id(item: T): unknown
  /** What it is called. */
  name(item: T): string
  /** What may change while it stays the same item, and how that is said. Left out where nothing can. */
  readonly detail?: { readonly label: string; of(item: T): unknown; show(item: T): string }
}

/** What happened to a list of things that have names: removed, changed, added, and, when that is all, reordered. */
export function describeLists<T>(before: readonly T[], after: readonly T[], words: ListWords<T>): string[] {
  const { detail, name, noun } = words
  const { added, kept, removed } = pairById(before, after, words)
  const because = (item: T): string => (detail ? ` (${detail.label} ${detail.show(item)})` : '')
  const phrases = [
    ...removed.map((item) => `${noun} ${name(item)} removed`),
    ...kept.flatMap(([old, item]) => {
      if (!detail || sameJson(detail.of(old), detail.of(item))) return []
      return [`${noun} ${name(item)} ${detail.label} ${detail.show(old)} -> ${detail.show(item)}`]
    }),
    ...added.map((item) => `${noun} ${name(item)}${because(item)} added`),
  ]
  if (phrases.length > 0 || kept.every(([old], at) => old === before[at])) return phrases
  return [`${noun}s reordered`]
}

interface Pairs<T> {
  readonly removed: readonly T[]
  /** In the order of the list after. */
  readonly kept: readonly (readonly [T, T])[]
  readonly added: readonly T[]
}

/** Items of one id, and how many of them, from the first on, are paired already. */
interface Bucket<T> {
  readonly items: T[]
  paired: number
}

/**
 * Pairs the items that are the same; where there are several of one, the first with the first. Takes a step for each item: a
 * list may hold one of them hundreds of thousands of times.
 */
function pairById<T>(before: readonly T[], after: readonly T[], { id }: ListWords<T>): Pairs<T> {
  const left = new Map<string, Bucket<T>>()
  for (const item of before) {
    const key = canonicalJson(id(item))
    const same = left.get(key)
    if (same) same.items.push(item)
    else left.set(key, { items: [item], paired: 0 })
  }
  const kept: [T, T][] = []
  const added: T[] = []
  for (const item of after) {
    const same = left.get(canonicalJson(id(item)))
    const old = same?.items[same.paired]
    if (same === undefined || old === undefined) added.push(item)
    else {
      kept.push([old, item])
      same.paired += 1
    }
  }
  const removed = [...left.values()].flatMap(({ items, paired }) => items.slice(paired))
  return { removed, kept, added }
}
