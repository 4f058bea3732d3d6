import { segmentsNamedBy } from '@burgee/contract'
import type { Segments } from './segment-members.ts'

/** Rules and conditions that are read once count less than a segment that is followed. */
const READ_PER_STEP = 10

/**
 * Returns a function that finds whether a segment reaches itself. What each segment names is read once, and
 * every reference that is followed is counted before the next.
 */
export function rememberCycles(segments: Segments, spend: (steps: number) => void): (key: string) => boolean {
  const known = new Map<string, boolean>()
  const named = new Map<string, readonly string[]>()

  function namedBy(key: string): readonly string[] {
    const found = named.get(key)
    if (found) return found
    const keys = new Set<string>()
    for (const rule of segments.get(key)?.rules ?? []) {
      spend((1 + (rule.conditions?.length ?? 0)) / READ_PER_STEP)
      for (const each of segmentsNamedBy(rule)) keys.add(each)
    }
    named.set(key, [...keys])
    return [...keys]
  }

  function reachesItself(key: string): boolean {
    const behind = new Set<string>()
    const follow = (from: string) => {
      const keys = namedBy(from)
      spend(1 + keys.length)
      for (const each of keys) behind.add(each)
    }
    follow(key)
    // The set grows while it is read: each segment is added once.
    for (const each of behind) {
      if (behind.has(key)) return true
      follow(each)
    }
    return behind.has(key)
  }

  return (key) => {
    const found = known.get(key) ?? reachesItself(key)
    known.set(key, found)
    return found
  }
}
