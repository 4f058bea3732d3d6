import type { SegmentCondition, TargetingRule } from '@burgee/contract'
import type { Condition } from '@burgee/evaluation'
import { invalid } from '../../kernel/refusal.ts'
import { negate } from './complement.ts'
import { type SegmentMembers, type Segments, segmentsBehind } from './segment-members.ts'
import { type Alternative, simplify } from './simplify-alternatives.ts'

/**
 * The bounds of one flag: rules and references that are visited, levels of nested segments, characters of
 * JSON on the wire. Segments may contain segments, and each reference adds its conditions, so a few kilobytes
 * could expand to gigabytes.
 */
export const VISITED_MAX = 10_000
const SEGMENT_LEVELS_MAX = 50
const EXPANDED_JSON_MAX = 2 * 1024 * 1024
/** The same before alternatives are simplified. They share their conditions, so this is no memory. */
const UNSIMPLIFIED_JSON_MAX = 16 * 1024 * 1024

type Test = TargetingRule | Condition | SegmentCondition

const ALL_USERS: readonly Alternative[] = [{ conditions: [], jsonLength: 0 }]

/**
 * Returns a function that gives the alternatives of a rule: it matches when all conditions of one of them
 * hold (docs/reference/flags.md#segments). Segments are expanded recursively; an unknown segment and a cycle
 * expand to nothing. The function refuses with `invalid` when its rules together exceed the bounds of a flag.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createExpansion(segments: Segments): (rule: TargetingRule) => readonly Alternative[] {
  const open = new Set<string>()
  const isCyclic = rememberCycles(segments)
  const isMissing = (key: string) => !segments.has(key) || isCyclic(key)
  const asAlternative = rememberAlternatives()
  let visited = 0
  let expanded = 0
  let jsonLength = 0

  function ofRule(rule: TargetingRule): readonly Alternative[] {
    visited += 1
    if (visited > VISITED_MAX) throw tooMuch()
    const further = (rule.conditions ?? []).map(ofTest)
    const heads = ofTest(rule)
    const withVariant = heads.map((head) => ({ ...head, variant: head.variant ?? rule.variant }))
    return further.reduce(both, withVariant)
  }

  function ofTest(test: Test): readonly Alternative[] {
    const key = referenceOf(test)
    if (key === null) return asAlternative(test)
    if (test.operator !== 'not_in_segment') return inside(key)
    return isMissing(key) ? [] : outside(key)
  }

  /** The ways of being in the segment: among its included keys, or by a rule while not excluded. */
  function inside(key: string): readonly Alternative[] {
    return enter(key, [], ({ excluded_keys = [], included_keys = [], rules }) => {
      const included = included_keys.length > 0 ? ofTest(hasKey('equals', included_keys)) : []
      const notExcluded = excluded_keys.length > 0 ? ofTest(hasKey('not_in', excluded_keys)) : ALL_USERS
      return [...included, ...both(rules.flatMap(ofRule), notExcluded)]
    })
  }

  /** The ways of not being in the segment: the exact complement of `inside`. */
  function outside(key: string): readonly Alternative[] {
    return enter(key, ALL_USERS, ({ excluded_keys = [], included_keys = [], rules }) => {
      const notIncluded = included_keys.length > 0 ? ofTest(hasKey('not_in', included_keys)) : ALL_USERS
      const excluded = excluded_keys.length > 0 ? ofTest(hasKey('equals', excluded_keys)) : []
      const noRule = rules.map(notRule).reduce(both, ALL_USERS)
      const isForAll = noRule.some(({ conditions }) => conditions.length === 0)
      return both(notIncluded, isForAll ? ALL_USERS : [...excluded, ...noRule])
    })
  }

  function notRule(rule: TargetingRule): readonly Alternative[] {
    visited += 1
    if (visited > VISITED_MAX) throw tooMuch()
    const ways = [rule, ...(rule.conditions ?? [])].flatMap(notTest)
    return ways.some(({ conditions }) => conditions.length === 0) ? ALL_USERS : ways
  }

  function notTest(test: Test): readonly Alternative[] {
    const key = referenceOf(test)
    if (key === null) {
      const held = asAlternative(test)[0]?.conditions[0]
      return held
        ? [negate(held).flatMap(asAlternative).reduce(joined, { conditions: [], jsonLength: 0 })]
        : ALL_USERS
    }
    if (test.operator === 'not_in_segment') return isMissing(key) ? ALL_USERS : inside(key)
    return outside(key)
  }

  /** Expands a segment, unless it is unknown or being expanded already. */
  function enter(
    key: string,
    otherwise: readonly Alternative[],
    expand: (segment: SegmentMembers) => readonly Alternative[],
  ): readonly Alternative[] {
    const segment = segments.get(key)
    if (!segment || open.has(key)) return otherwise
    if (open.size === SEGMENT_LEVELS_MAX) throw tooMuch()
    open.add(key)
    const alternatives = expand(segment)
    open.delete(key)
    return alternatives
  }

  return (rule) => {
    const alternatives = ofRule(rule)
    expanded += alternatives.length
    jsonLength += alternatives.reduce((sum, each) => sum + each.jsonLength, 0)
    if (expanded > VISITED_MAX || jsonLength > EXPANDED_JSON_MAX) throw tooMuch()
    return alternatives
  }
}

/** Returns every pair of the two lists as one alternative. */
function both(left: readonly Alternative[], right: readonly Alternative[]): readonly Alternative[] {
  if (right === ALL_USERS) return left
  if (left.length * right.length > VISITED_MAX) throw tooMuch()
  const sum = (side: readonly Alternative[]) => side.reduce((length, each) => length + each.jsonLength, 0)
  const jsonLength = sum(left) * right.length + sum(right) * left.length
  const isProduct = left.length > 1 && right.length > 1
  if (jsonLength > (isProduct ? UNSIMPLIFIED_JSON_MAX : EXPANDED_JSON_MAX)) throw tooMuch()
  const pairs = left.flatMap((first) => right.map((second) => joined(first, second)))
  return isProduct ? simplify(pairs) : pairs
}

const joined = (first: Alternative, second: Alternative): Alternative => ({
  conditions: [...first.conditions, ...second.conditions],
  jsonLength: first.jsonLength + second.jsonLength,
  variant: first.variant,
})

const hasKey = (operator: 'equals' | 'not_in', values: string[]): Condition => ({
  attribute: '$user_key',
  operator,
  values,
})

const referenceOf = (test: Test): string | null =>
  'segment_key' in test && test.segment_key ? test.segment_key : null

/** Returns a function that gives a test as its only alternative; none for a test that is incomplete. */
function rememberAlternatives(): (test: Test) => readonly Alternative[] {
  const known = new Map<Test, readonly Alternative[]>()
  return (test) => {
    const found = known.get(test)
    if (found) return found
    const condition = toCondition(test)
    const made = condition ? [{ conditions: [condition], jsonLength: JSON.stringify(condition).length }] : []
    known.set(test, made)
    return made
  }
}

/** Returns the test without what only rules have; undefined when it is incomplete. */
export function toCondition(test: TargetingRule | Condition | SegmentCondition): Condition | undefined {
  if (!('values' in test)) return undefined
  const { attribute, operator, values } = test
  if (attribute === undefined || values === undefined) return undefined
  if (operator === undefined || operator === '') return undefined
  if (operator === 'in_segment' || operator === 'not_in_segment') return undefined
  return { attribute, operator, values }
}

/** Returns a function that finds whether a segment reaches itself. */
function rememberCycles(segments: Segments): (key: string) => boolean {
  const known = new Map<string, boolean>()
  return (key) => {
    const found = known.get(key) ?? segmentsBehind(segments.get(key)?.rules ?? [], segments).has(key)
    known.set(key, found)
    return found
  }
}

export const tooMuch = () =>
  invalid([
    {
      path: '/rules',
      message:
        'become too large when their segments are expanded: ' +
        `at most ${VISITED_MAX} rules, ${SEGMENT_LEVELS_MAX} levels of segments and ${EXPANDED_JSON_MAX} characters`,
    },
  ])
