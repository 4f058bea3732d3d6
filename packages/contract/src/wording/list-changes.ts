import { deepEqual, type JsonValue } from '@burgee/evaluation'
import { canonicalJson } from '../json/canonical-json.ts'

interface ListWords<T> {
  /** The singular noun; its plural adds an s. */
  readonly noun: string
  /** The identity of an item. */
  id(item: T): unknown
  /** The display name of an item. */
  name(item: T): string
  /**
   * A property that can change while the item stays the same, with its label and text. Absent when nothing
   * can change.
   */
  readonly detail?: { readonly label: string; of(item: T): JsonValue; show(item: T): string }
}

/**
 * Describes the changes to a list of named items: removed, changed and added ones, or, without any of these,
 * a new order.
 */
export function describeLists<T>(before: readonly T[], after: readonly T[], words: ListWords<T>): string[] {
  const { detail, name, noun } = words
  const { added, kept, removed } = pairById(before, after, words)
  const because = (item: T): string => (detail ? ` (${detail.label} ${detail.show(item)})` : '')
  const phrases = [
    ...removed.map((item) => `${noun} ${name(item)} removed`),
    ...kept.flatMap(([old, item]) => {
      if (!detail || deepEqual(detail.of(old), detail.of(item))) return []
      return [`${noun} ${name(item)} ${detail.label} ${detail.show(old)} -> ${detail.show(item)}`]
    }),
    ...added.map((item) => `${noun} ${name(item)}${because(item)} added`),
  ]
  if (phrases.length > 0 || kept.every(([old], at) => old === before[at])) return phrases
  return [`${noun}s reordered`]
}

interface Pairs<T> {
  readonly removed: readonly T[]
  /** Pairs in the order of the later list. */
  readonly kept: readonly (readonly [T, T])[]
  readonly added: readonly T[]
}

/** Items with one id, and the number of them that are already paired. */
interface Bucket<T> {
  readonly items: T[]
  paired: number
}

/**
 * Pairs items with the same id; the first with the first when an id occurs several times. It takes one step
 * for each item, because a list may repeat one id hundreds of thousands of times.
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
