import type { SegmentCondition, TargetingRule } from '@burgee/contract'
import type { Condition } from '@burgee/evaluation'
import { invalid } from '../../kernel/refusal.ts'
import { negate } from './complement.ts'
import { bothPaths } from './rule-origins.ts'
import { rememberCycles } from './segment-cycles.ts'
import type { SegmentMembers, Segments } from './segment-members.ts'
import { type Alternative, createPairs } from './simplify-alternatives.ts'

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
/** Conditions that are read, copied and compared, together: some milliseconds. */
const STEPS_MAX = 1_000_000
/** Values that are formatted count less. */
const VALUES_PER_STEP = 10

type Test = TargetingRule | Condition | SegmentCondition

const NOTHING_YET: Alternative = { conditions: [], jsonLength: 0 }
const ALL_USERS: readonly Alternative[] = [NOTHING_YET]

interface ExpansionOptions {
  readonly isTraced?: boolean
  /** The steps of the expansion, which several may share. */
  readonly budget?: ExpansionBudget
}

/**
 * Returns a function that gives the alternatives of a rule: it matches when all conditions of one of them
 * hold (docs/reference/flags.md#segments). Segments are expanded recursively; an unknown segment and a cycle
 * expand to nothing. `isTraced` gives each alternative the segments that it comes through. The function
 * refuses with `invalid` when its rules together exceed the bounds of a flag.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createExpansion(
  segments: Segments,
  { budget: spend = createExpansionBudget(), isTraced = false }: ExpansionOptions = {},
): (rule: TargetingRule) => readonly Alternative[] {
  const open = new Set<string>()
  const both = createProduct(spend)
  const isCyclic = rememberCycles(segments, spend)
  const isMissing = (key: string) => !segments.has(key) || isCyclic(key)
  const asAlternative = rememberAlternatives(spend)
  const negated = rememberNegations(spend)
  const hasKey = rememberKeyTests()
  let visited = 0
  let expanded = 0
  let jsonLength = 0

  function ofRule(rule: TargetingRule): readonly Alternative[] {
    visited += 1
    if (visited > VISITED_MAX) throw tooMuch()
    let ways = withVariant(ofHead(rule), rule.variant)
    for (const condition of rule.conditions ?? []) {
      if (ways.length === 0) return ways
      spend(1)
      ways = both(ways, ofCondition(condition))
    }
    return ways
  }

  function ofHead(rule: TargetingRule): readonly Alternative[] {
    const key = referenceOf(rule)
    if (key === null) return asAlternative(rule)
    if (rule.operator !== 'not_in_segment') return inside(key)
    return isMissing(key) ? [] : outside(key)
  }

  /** An unknown segment, and one that names itself, makes a condition never true. */
  function ofCondition(condition: Condition | SegmentCondition): readonly Alternative[] {
    const key = referenceOf(condition)
    if (key === null) return asAlternative(condition)
    if (isMissing(key)) return []
    return condition.operator === 'not_in_segment' ? outside(key) : inside(key)
  }

  /** The ways of being in the segment: among its included keys, or by a rule while not excluded. */
  function inside(key: string): readonly Alternative[] {
    return enter(key, [], ({ excluded_keys = [], included_keys = [], rules }) => {
      const included = included_keys.length > 0 ? asAlternative(hasKey('equals', included_keys)) : []
      const notExcluded =
        excluded_keys.length > 0 ? asAlternative(hasKey('not_in', excluded_keys)) : ALL_USERS
      return [...included, ...both(rules.flatMap(ofRule), notExcluded)]
    })
  }

  /** The ways of not being in the segment: the exact complement of `inside`. */
  function outside(key: string): readonly Alternative[] {
    return enter(key, ALL_USERS, ({ excluded_keys = [], included_keys = [], rules }) => {
      const notIncluded =
        included_keys.length > 0 ? asAlternative(hasKey('not_in', included_keys)) : ALL_USERS
      const excluded = excluded_keys.length > 0 ? asAlternative(hasKey('equals', excluded_keys)) : []
      const noRule = rules.map(notRule).reduce(both, ALL_USERS)
      const isForAll = noRule.some(({ conditions }) => conditions.length === 0)
      return both(notIncluded, isForAll ? ALL_USERS : [...excluded, ...noRule])
    })
  }

  function notRule(rule: TargetingRule): readonly Alternative[] {
    visited += 1
    if (visited > VISITED_MAX) throw tooMuch()
    spend(rule.conditions?.length ?? 0)
    const ways = [...notHead(rule), ...(rule.conditions ?? []).flatMap(notCondition)]
    return ways.some(({ conditions }) => conditions.length === 0) ? ALL_USERS : ways
  }

  function notHead(rule: TargetingRule): readonly Alternative[] {
    const key = referenceOf(rule)
    if (key === null) return notHolding(rule)
    if (rule.operator !== 'not_in_segment') return outside(key)
    return isMissing(key) ? ALL_USERS : inside(key)
  }

  function notCondition(condition: Condition | SegmentCondition): readonly Alternative[] {
    const key = referenceOf(condition)
    if (key === null) return notHolding(condition)
    if (isMissing(key)) return ALL_USERS
    return condition.operator === 'not_in_segment' ? inside(key) : outside(key)
  }

  function notHolding(test: Test): readonly Alternative[] {
    const held = asAlternative(test)[0]?.conditions[0]
    return held ? [negated(held)] : ALL_USERS
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
    if (!isTraced || alternatives === ALL_USERS) return alternatives
    // Written out: a spread takes several times as long, and a level of segments copies all below it.
    return alternatives.map(({ conditions, jsonLength, path, variant }) => ({
      conditions,
      jsonLength,
      variant,
      path: { key, within: path },
    }))
  }

  return (rule) => {
    const alternatives = ofRule(rule)
    expanded += alternatives.length
    jsonLength += alternatives.reduce((sum, each) => sum + each.jsonLength, 0)
    if (expanded > VISITED_MAX || jsonLength > EXPANDED_JSON_MAX) throw tooMuch()
    return alternatives
  }
}

/** Counts steps, and refuses with `invalid` when they are too many. */
export type ExpansionBudget = (steps: number) => void

export function createExpansionBudget(): ExpansionBudget {
  let spent = 0
  return (steps) => {
    spent += steps
    if (spent > STEPS_MAX) throw tooMuch()
  }
}

/** Returns a function that gives every pair of two lists as one alternative. */
function createProduct(spend: (steps: number) => void) {
  const pairsOf = createPairs()
  const measure = (side: readonly Alternative[]) => {
    spend(side.length)
    return side.reduce(
      (sum, each) => ({
        length: sum.length + each.jsonLength,
        count: sum.count + each.conditions.length + 1,
      }),
      { length: 0, count: 0 },
    )
  }
  return (left: readonly Alternative[], right: readonly Alternative[]): readonly Alternative[] => {
    if (right === ALL_USERS) return left
    if (left.length * right.length > VISITED_MAX) throw tooMuch()
    const [ofLeft, ofRight] = [measure(left), measure(right)]
    const jsonLength = ofLeft.length * right.length + ofRight.length * left.length
    const isProduct = left.length > 1 && right.length > 1
    if (jsonLength > (isProduct ? UNSIMPLIFIED_JSON_MAX : EXPANDED_JSON_MAX)) throw tooMuch()
    spend(ofLeft.count * right.length + ofRight.count * left.length)
    return isProduct
      ? pairsOf(left, right)
      : left.flatMap((first) => right.map((second) => joined(first, second)))
  }
}

/** Gives the value of a rule to the alternatives of its head that have none. */
const withVariant = (
  alternatives: readonly Alternative[],
  given: TargetingRule['variant'],
): readonly Alternative[] =>
  given === undefined
    ? alternatives
    : alternatives.map(({ conditions, jsonLength, path, variant = null }) => ({
        conditions,
        jsonLength,
        variant: variant ?? given,
        path,
      }))

const joined = (first: Alternative, second: Alternative): Alternative => ({
  conditions: [...first.conditions, ...second.conditions],
  jsonLength: first.jsonLength + second.jsonLength,
  variant: first.variant,
  path: bothPaths(first.path, second.path),
})

/** Returns a function that gives a test of the user key: one for each list, however often it is used. */
function rememberKeyTests() {
  const known = { equals: new Map<string[], Condition>(), not_in: new Map<string[], Condition>() }
  return (operator: 'equals' | 'not_in', values: string[]): Condition => {
    const made = known[operator].get(values) ?? { attribute: '$user_key', operator, values }
    known[operator].set(values, made)
    return made
  }
}

const referenceOf = (test: Test): string | null =>
  'segment_key' in test && test.segment_key ? test.segment_key : null

/** Returns a function that gives a test as its only alternative; none for a test that is incomplete. */
function rememberAlternatives(spend: (steps: number) => void): (test: Test) => readonly Alternative[] {
  const known = new Map<Test, readonly Alternative[]>()
  return (test) => {
    const found = known.get(test)
    if (found) return found
    const condition = toCondition(test)
    spend(1 + (condition?.values.length ?? 0) / VALUES_PER_STEP)
    const made = condition ? [{ conditions: [condition], jsonLength: JSON.stringify(condition).length }] : []
    known.set(test, made)
    return made
  }
}

/** Returns a function that gives what holds exactly when a test does not: conditions that hold together. */
function rememberNegations(spend: (steps: number) => void): (condition: Condition) => Alternative {
  const known = new Map<Condition, Alternative>()
  return (condition) => {
    const found = known.get(condition)
    if (found) return found
    const conditions = negate(condition)
    spend(conditions.reduce((sum, { values }) => sum + 1 + values.length / VALUES_PER_STEP, 0))
    const jsonLength = conditions.reduce((sum, one) => sum + JSON.stringify(one).length, 0)
    const made = { conditions, jsonLength }
    known.set(condition, made)
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

export const tooMuch = () =>
  invalid([
    {
      path: '/rules',
      message:
        'become too large when their segments are expanded: ' +
        `at most ${VISITED_MAX} rules, ${SEGMENT_LEVELS_MAX} levels of segments and ${EXPANDED_JSON_MAX} characters`,
    },
  ])
