import type { SegmentDraft } from './drafts.ts'
import type { Expression } from './expression.ts'
import type { Flaw } from './gap.ts'

/** Returns the flaw of a segment by its key in the other service; undefined for one with the same users. */
export type FindFlaw = (key: string) => Flaw | undefined

/**
 * Returns the flaws of segments: their own, those of the segments that they name, and that of a segment
 * that is not here. A flag that names such a segment is not exact.
 */
export function flawsOf(segments: readonly SegmentDraft[], own: ReadonlyMap<string, Flaw>): FindFlaw {
  const known = new Map(segments.map((segment) => [segment.key, segment]))
  const flaws = new Map(own)
  const visited = new Set<string>()
  const find: FindFlaw = (key) => {
    const segment = known.get(key)
    if (!segment) return missing(key)
    if (visited.has(key)) return flaws.get(key)
    visited.add(key)
    for (const inner of segment.rules.flatMap(({ when }) => segmentsIn(when))) {
      const flaw = inner === key ? undefined : find(inner)
      if (flaw && !flaws.has(key)) flaws.set(key, flaw)
    }
    return flaws.get(key)
  }
  for (const { key } of segments) find(key)
  return find
}

const missing = (key: string): Flaw => ({
  code: 'segment_missing',
  message: `The segment ${key} is not in these files. A condition on it never holds.`,
})

/** Returns the keys of the segments that an expression names. */
function segmentsIn(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'test':
      return []
    case 'segment':
      return [expression.key]
    case 'not':
      return segmentsIn(expression.of)
    default:
      return expression.of.flatMap(segmentsIn)
  }
}
