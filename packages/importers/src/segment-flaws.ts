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
  const known = new Set(segments.map(({ key }) => key))
  const flaws = new Map(own)
  /** The segments that name a segment, by its key. */
  const namedBy = new Map<string, string[]>()
  for (const { key, rules } of segments)
    for (const inner of new Set(rules.flatMap(({ when }) => segmentsIn(when)))) {
      if (!known.has(inner)) flaws.set(inner, missing(inner))
      const names = namedBy.get(inner) ?? []
      names.push(key)
      namedBy.set(inner, names)
    }
  // A map grows while it is iterated. Chains of segments may be long, and may have no end.
  for (const [key, flaw] of flaws)
    for (const outer of namedBy.get(key) ?? []) if (!flaws.has(outer)) flaws.set(outer, flaw)
  return (key) => (known.has(key) ? flaws.get(key) : missing(key))
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
