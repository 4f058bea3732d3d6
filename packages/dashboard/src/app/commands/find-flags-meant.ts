import type { Flag } from '@burgee/contract'

/** Flags that a query offers actions for; more would bury what else fits. */
const FLAGS_MAX = 4
/** Shorter words are in most keys. */
const WORD_MIN = 2

/** The flags that a query such as `turn off payments` may mean: those whose key holds most of its words. */
export function findFlagsMeant<F extends Pick<Flag, 'key' | 'archived_at'>>(
  flags: readonly F[],
  query: string,
): F[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length >= WORD_MIN)
  return flags
    .filter(({ archived_at }) => archived_at === null)
    .map((flag) => {
      const key = flag.key.toLowerCase()
      return { flag, isWhole: words.includes(key), hits: words.filter((word) => key.includes(word)).length }
    })
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.hits - a.hits)
    .slice(0, FLAGS_MAX)
    .map(({ flag }) => flag)
}
