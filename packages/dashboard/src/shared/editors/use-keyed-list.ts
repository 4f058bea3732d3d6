import { deepEqual } from '@burgee/evaluation'
import { useRef } from 'react'

interface Known<T> {
  readonly items: readonly T[]
  readonly keys: readonly string[]
}

/** A list whose items have no id of their own, with keys that stay while items are edited and moved. */
export interface KeyedList<T> {
  readonly keys: readonly string[]
  replace(index: number, item: T): void
  /** At the end by default; gives its key. */
  insert(item: T, at?: number): string
  remove(index: number): void
  move(from: number, to: number): void
}

export function useKeyedList<T extends object>(
  items: readonly T[],
  onChange: (items: T[]) => void,
): KeyedList<T> {
  const known = useRef<Known<T>>({ items: [], keys: [] })
  const count = useRef(0)
  const nextKey = (): string => {
    count.current += 1
    return String(count.current)
  }
  if (known.current.items !== items) {
    known.current = { items, keys: matchKeys(known.current, items, nextKey) }
  }
  const { keys } = known.current
  const change = (next: T[], nextKeys: readonly string[]) => {
    known.current = { items: next, keys: nextKeys }
    onChange(next)
  }
  return {
    keys,
    replace: (index, item) => change(items.with(index, item), keys),
    insert: (item, at = items.length) => {
      const key = nextKey()
      change(items.toSpliced(at, 0, item), keys.toSpliced(at, 0, key))
      return key
    },
    remove: (index) => change(items.toSpliced(index, 1), keys.toSpliced(index, 1)),
    move: (from, to) => change(moved(items, from, to), moved(keys, from, to)),
  }
}

/**
 * Matches objects with their keys: the same object keeps its key. So does, in the same place, an equal one,
 * for owners who copy the objects that they are given, and one that has taken the place of another, as
 * someone else's change does.
 */
export function matchKeys<T extends object>(
  known: Known<T>,
  items: readonly T[],
  nextKey: () => string,
): string[] {
  const byItem = new Map(known.items.map((item, at) => [item, known.keys[at]]))
  const used = new Set<string>()
  const take = (key: string | undefined): string => {
    const taken = key === undefined || used.has(key) ? nextKey() : key
    used.add(taken)
    return taken
  }
  return items.map((item, at) => {
    if (byItem.has(item)) return take(byItem.get(item))
    const before = known.items[at]
    const isCopy = deepEqual(before, item)
    const isReplaced = items.length === known.items.length && before !== undefined && !items.includes(before)
    return take(isCopy || isReplaced ? known.keys[at] : undefined)
  })
}

/** The list with the item at `from` taken to `to`. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from]
  return item === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item)
}
