import { segmentsNamedBy } from '@burgee/contract'
import { leadTo } from '../../platform/lead-to.ts'
import type { FlagRules, Segments } from '../rules/index.ts'

/** The segments through which an edit reaches rules: the edited ones, and those that name them. */
export type EditReach = ReadonlySet<string>

interface EditedSegments {
  readonly keys: ReadonlySet<string>
  /** All segments before and after. */
  readonly before: Segments
  readonly after: Segments
}

/**
 * Finds what an edit reaches, before or after it. Each rule of a segment is read once, so that many flags may
 * name the same segments.
 */
export async function findReach({ after, before, keys }: EditedSegments): Promise<EditReach> {
  const reach = await leadTo(keys, namesIn(before))
  for (const key of await leadTo(keys, namesIn(after))) reach.add(key)
  return reach
}

/** Returns whether rules name a segment through which an edit reaches them. */
export const isReached = (rules: FlagRules['rules'], reach: EditReach): boolean =>
  rules.some((rule) => segmentsNamedBy(rule).some((key) => reach.has(key)))

function* namesIn(segments: Segments): Generator<readonly [string, ReadonlySet<string>]> {
  for (const [key, { rules }] of segments) yield [key, new Set(rules.flatMap(segmentsNamedBy))]
}
