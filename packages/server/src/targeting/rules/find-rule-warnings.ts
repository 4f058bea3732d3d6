import type { TargetingRule, Warning } from '@burgee/contract'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { findBoundWarnings } from './bound-warnings.ts'
import { listTests, matchesEveryUser } from './rule-test.ts'
import type { Segments } from './segment-members.ts'
import { createReach, type SegmentReach } from './segment-reach.ts'
import { findTestWarnings } from './test-warnings.ts'
import { createUnreachable } from './unreachable-rules.ts'

/** The rules that are read in one step: a segment may have 100,000. */
const STEP_RULES = 1_000

/**
 * Returns warnings about a list of rules, of a flag or of a segment, in turns. When `segments` is null, none
 * of them is about segments.
 */
export async function findRuleWarnings(
  rules: readonly TargetingRule[],
  segments: Segments | null,
): Promise<Warning[]> {
  const unreachable = createUnreachable(rules)
  const known = segments && { segments, reach: createReach(segments) }
  const found: Warning[] = []
  for (const [index, rule] of rules.entries()) {
    if (index % STEP_RULES === 0) await shareTurn()
    found.push(...unknownSegment(rule, index, known), ...findTestWarnings(rule, index))
    found.push(...notEqualsMany(rule, index), ...unreachable(index))
  }
  await shareTurn()
  return [...found, ...findBoundWarnings(rules, segments)]
}

interface KnownSegments {
  readonly segments: Segments
  readonly reach: SegmentReach
}

/** Warns of each reference to a segment that does not exist, in the rule itself and in its conditions. */
function unknownSegment(rule: TargetingRule, index: number, known: KnownSegments | null): Warning[] {
  if (!known) return []
  const { reach, segments } = known
  return listTests(rule).flatMap((test, at): Warning[] => {
    const key = 'segment_key' in test ? test.segment_key : undefined
    if (!key) return []
    const isUnknown = !segments.has(key)
    if (!isUnknown && !reach.ofSegment(key).has(key)) return []
    const path = `/rules/${index}${placeOf(at)}/segment_key`
    const message = isUnknown
      ? `There is no segment "${key}" in this environment; the rule matches no user until it exists.`
      : `The segment "${key}" refers to itself, directly or through others; that reference matches no user.`
    return [{ code: 'unknown_segment', path, message }]
  })
}

/** Returns where a test of a rule is: its own test is the first, its conditions follow. */
const placeOf = (at: number): string => (at === 0 ? '' : `/conditions/${at - 1}`)

/** Warns of `not_equals` with several values: `values` is an OR, so every user differs from one of them. */
function notEqualsMany(rule: TargetingRule, index: number): Warning[] {
  return listTests(rule).flatMap((test, at) => {
    if (!matchesEveryUser(test)) return []
    return [
      {
        code: 'not_equals_many' as const,
        path: `/rules/${index}${placeOf(at)}/values`,
        message:
          'not_equals with several values holds for every user. Use one condition for each value instead.',
      },
    ]
  })
}
