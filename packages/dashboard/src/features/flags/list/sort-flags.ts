import type { ListedFlag } from './filter-flags.ts'

const FLAG_ORDERS = ['key', 'changed', 'impressions'] as const
export type FlagOrder = (typeof FLAG_ORDERS)[number]

/** Anything but an order that we know is the first. */
export const readOrder = (text: string): FlagOrder => FLAG_ORDERS.find((order) => order === text) ?? 'key'

/**
 * A copy in that order. Equal flags are ordered by key. `impressionsOf` gives the sum of the days that are
 * shown.
 */
export function sortFlags(
  listed: readonly ListedFlag[],
  order: FlagOrder,
  impressionsOf: (key: string) => number,
): ListedFlag[] {
  const byKey = [...listed].sort((a, b) => compareKeys(a.flag.key, b.flag.key))
  if (order === 'key') return byKey
  // A revision grows with each change of the environment, so it orders flags by when they changed last.
  if (order === 'changed') return byKey.sort((a, b) => b.flag.revision - a.flag.revision)
  return byKey.sort((a, b) => impressionsOf(b.flag.key) - impressionsOf(a.flag.key))
}

/** As people read them, without looking at the case first; the locale of the browser changes nothing. */
function compareKeys(a: string, b: string): number {
  const [lowA, lowB] = [a.toLowerCase(), b.toLowerCase()]
  if (lowA !== lowB) return lowA < lowB ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
