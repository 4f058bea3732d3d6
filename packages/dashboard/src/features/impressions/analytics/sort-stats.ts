import type { ImpressionStats } from '@burgee/contract'

/** The fields that the list can be sorted by. */
const SORT_FIELDS = ['flag_key', 'total', 'unique_users', 'last_seen'] as const
export type SortField = (typeof SORT_FIELDS)[number]

/** The other way round than one begins to read: keys from A, numbers and times from the greatest. */
export type SortOrder = 'first' | 'reversed'

export const isSortField = (text: string): text is SortField => SORT_FIELDS.some((field) => field === text)

/** The flags whose key holds the text, in order; equal ones by key. */
export function sortStats(
  stats: readonly ImpressionStats[],
  { q, sort, order }: { readonly q: string; readonly sort: SortField; readonly order: SortOrder },
): ImpressionStats[] {
  const wanted = q.trim().toLowerCase()
  const turn = order === 'first' ? 1 : -1
  return stats
    .filter(({ flag_key }) => flag_key.toLowerCase().includes(wanted))
    .sort((one, other) => turn * compare(one, other, sort) || byKey(one, other))
}

function compare(one: ImpressionStats, other: ImpressionStats, sort: SortField): number {
  if (sort === 'flag_key') return byKey(one, other)
  if (sort === 'last_seen') return Date.parse(other.last_seen) - Date.parse(one.last_seen)
  return other[sort] - one[sort]
}

const byKey = (one: ImpressionStats, other: ImpressionStats): number =>
  one.flag_key < other.flag_key ? -1 : one.flag_key > other.flag_key ? 1 : 0
