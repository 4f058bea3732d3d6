import { segmentsNamedBy, type TargetingRule } from '@burgee/contract'
import type { Segments } from './segment-members.ts'

/** References that are followed for one list of rules, in all: some milliseconds. */
const FOLLOWED_MAX = 200_000

/** The segments that rules and segments reach, directly or through others. */
export interface SegmentReach {
  /** Returns the segments behind a segment; itself where it is in a cycle. */
  ofSegment(key: string): ReadonlySet<string>
  /** Returns the segments that a rule names, and those behind them. */
  ofRule(rule: TargetingRule): ReadonlySet<string>
}

/**
 * Remembers what each segment reaches, so that many rules may name the same. After 200,000 references in all
 * it follows no further ones: what it gives is then a part.
 */
export function createReach(segments: Segments): SegmentReach {
  const named = new Map<string, ReadonlySet<string>>()
  const reached = new Map<string, ReadonlySet<string>>()
  let followed = 0

  function namedBy(key: string): ReadonlySet<string> {
    const known = named.get(key)
    if (known) return known
    const made = new Set(segments.get(key)?.rules.flatMap(segmentsNamedBy))
    named.set(key, made)
    return made
  }

  function addAll(to: Set<string>, keys: Iterable<string>): void {
    for (const key of keys) {
      if (followed === FOLLOWED_MAX) return
      followed += 1
      to.add(key)
    }
  }

  function ofSegment(key: string): ReadonlySet<string> {
    const known = reached.get(key)
    if (known) return known
    const found = new Set<string>()
    addAll(found, namedBy(key))
    // The set grows while it is read: each segment is added once.
    for (const each of found) addAll(found, namedBy(each))
    reached.set(key, found)
    return found
  }

  return {
    ofSegment,
    ofRule(rule) {
      const found = new Set<string>()
      for (const key of segmentsNamedBy(rule)) {
        addAll(found, [key])
        addAll(found, ofSegment(key))
      }
      return found
    },
  }
}
