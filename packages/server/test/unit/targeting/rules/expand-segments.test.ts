import { type RuleOrigin, segmentsBehind, type TargetingRule } from '@burgee/contract'
import { createFlagSet } from '@burgee/evaluation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../../src/kernel/refusal.ts'
import { expandRules, expandWithOrigins } from '../../../../src/targeting/rules/expand-rules.ts'
import type { SegmentMembers, Segments } from '../../../../src/targeting/rules/segment-members.ts'

const KEYS = ['s0', 's1', 's2', 's3'] as const
const USERS = ['ann', 'bob', 'cid']
const OPERATORS = [
  'equals',
  'not_equals',
  'not_in',
  'contains',
  'not_contains',
  'greater_than',
  'is_set',
  'is_not_set',
] as const

interface User {
  readonly key: string | null
  readonly attributes: Readonly<Record<string, string>>
}

const attributeTest = fc.record({
  attribute: fc.constantFrom('plan', 'age'),
  operator: fc.constantFrom(...OPERATORS),
  values: fc.array(fc.constantFrom('pro', 'p', '18'), { maxLength: 2 }),
})
const reference = fc.record({
  segment_key: fc.constantFrom(...KEYS, 'unknown'),
  operator: fc.constantFrom('in_segment', 'not_in_segment'),
})
const test = fc.oneof({ weight: 3, arbitrary: attributeTest }, { weight: 2, arbitrary: reference })
const rule: fc.Arbitrary<TargetingRule> = fc
  .tuple(test, fc.array(test, { maxLength: 2 }))
  .map(([head, conditions]) => ({ ...head, ...(conditions.length > 0 && { conditions }) }) as TargetingRule)
const userKeys = fc.option(fc.uniqueArray(fc.constantFrom(...USERS), { minLength: 1, maxLength: 2 }), {
  nil: undefined,
})
const segment: fc.Arbitrary<SegmentMembers> = fc
  .tuple(fc.array(rule, { maxLength: 3 }), userKeys, userKeys)
  .map(([rules, included_keys, excluded_keys]) => ({
    rules,
    ...(included_keys && { included_keys }),
    ...(excluded_keys && { excluded_keys }),
  }))
/** Each segment names only later ones, so that there is no cycle. */
const segments: fc.Arbitrary<Segments> = fc
  .tuple(...KEYS.map(() => segment))
  .map((all) => new Map(all.map((each, at) => [`s${at}`, withoutBackReferences(each, at)])))

const user: fc.Arbitrary<User> = fc.record({
  key: fc.constantFrom(...USERS, null),
  attributes: fc
    .record({ plan: fc.constantFrom('pro', 'x', undefined), age: fc.constantFrom('18', '20', undefined) })
    .map((given) =>
      Object.fromEntries(
        Object.entries(given).filter(
          (entry): entry is [string, '18' | '20' | 'pro' | 'x'] => entry[1] !== undefined,
        ),
      ),
    ),
})

const RUNS = 1_000

/** The origin of each expanded rule; without origins, each is the written rule at its place. */
const spread = (origins: readonly RuleOrigin[] | undefined, written: number) =>
  origins
    ? origins.flatMap(({ count, ...origin }) => Array.from({ length: count }, () => origin))
    : Array.from({ length: written }, (_, rule_index) => ({ rule_index, segment_keys: [] as string[] }))

/** Null when the rules exceed the bounds of a flag. */
function expandOrRefuse(rules: readonly TargetingRule[], all: Segments) {
  try {
    return expandRules(rules, all, 'boolean')
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

describe('the rules that replace references to segments', () => {
  it('match exactly the users that the segments say, in and not in, at any depth', () => {
    let tooLarge = 0
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), segments, user, (rules, all, given) => {
        const expanded = expandOrRefuse(rules, all)
        if (!expanded) {
          tooLarge += 1
          return
        }
        const expected = rules.some((each) => matches(each, all, given))
        expect(isMatchedBy(expanded, given)).toBe(expected)
      }),
      { numRuns: RUNS },
    )
    expect(tooLarge).toBeLessThan(RUNS / 50)
  })

  it('have as origin the written rule and segments behind it, and are the same as without origins', () => {
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), segments, (rules, all) => {
        const expanded = expandOrRefuse(rules, all)
        if (!expanded) return
        const traced = expandWithOrigins(rules, all, 'boolean')
        expect(traced.rules).toEqual(expanded)
        const origins = spread(traced.origins, rules.length)
        expect(origins).toHaveLength(expanded.length)
        rules.forEach((each, at) => {
          const own = origins.filter(({ rule_index }) => rule_index === at)
          expect(own).toHaveLength(expandRules([each], all, 'boolean').length)
          const behind = segmentsBehind([each], all)
          for (const { segment_keys } of own) for (const key of segment_keys) expect(behind).toContain(key)
        })
        expect(origins.map(({ rule_index }) => rule_index)).toEqual(
          origins.map(({ rule_index }) => rule_index).sort(),
        )
      }),
      { numRuns: RUNS / 10 },
    )
  })

  it('have other origins for segments that hold together than for a segment within another', () => {
    const test = { attribute: 'a', operator: 'equals' as const, values: ['1'] }
    const all: Segments = new Map([
      ['inner', { rules: [test] }],
      ['outer', { rules: [{ segment_key: 'inner' }] }],
    ])
    const nested = expandWithOrigins([{ segment_key: 'outer' }], all, 'boolean').origins
    expect(nested).toEqual([{ rule_index: 0, segment_keys: ['outer', 'inner'], count: 1 }])
    const beside = { segment_key: 'inner', operator: 'in_segment' as const }
    const siblings = expandWithOrigins([{ segment_key: 'outer', conditions: [beside] }], all, 'boolean')
    expect(siblings.origins).toEqual([
      {
        rule_index: 0,
        segment_keys: ['outer', 'inner'],
        segment_paths: [['outer', 'inner'], ['inner']],
        count: 1,
      },
    ])
  })

  it('have bounded origins, however many segments and rules they come through', () => {
    const tests = Array.from({ length: 2_000 }, (_, at) => ({
      attribute: 'a',
      operator: 'equals' as const,
      values: [String(at)],
    }))
    const long = (at: number) => `${at}`.padStart(3, '0').repeat(33)
    const all: Segments = new Map([
      ...Array.from({ length: 40 }, (_, at): [string, SegmentMembers] => [
        long(at),
        { rules: [{ segment_key: long(at + 1) }] },
      ]),
      [long(40), { rules: tests.flatMap((test) => [test, { segment_key: 'other', conditions: [test] }]) }],
      ['other', { rules: tests.slice(0, 1) }],
    ])
    const { origins, rules } = expandWithOrigins([{ segment_key: long(0) }], all, 'boolean')
    expect(rules).toHaveLength(4_000)
    expect(JSON.stringify(origins).length).toBeLessThan(200_000)
    expect(spread(origins, 1)).toHaveLength(4_000)
    for (const { segment_keys } of origins ?? []) expect(segment_keys.length).toBeLessThanOrEqual(10)
  })

  it('match no user for an unknown segment or one that names itself, in or not in', () => {
    const all: Segments = new Map([
      ['a', { rules: [{ segment_key: 'b' }] }],
      ['b', { rules: [{ segment_key: 'a' }] }],
    ])
    for (const segment_key of ['unknown', 'a', 'b']) {
      expect(expandRules([{ segment_key, operator: 'not_in_segment' }], all, null)).toEqual([])
      expect(expandRules([{ segment_key }], all, null)).toEqual([])
    }
  })

  it('match every user who is not in an empty segment', () => {
    const expanded = expandRules(
      [{ segment_key: 'none', operator: 'not_in_segment' }],
      new Map([['none', { rules: [] }]]),
      null,
    )
    expect(expanded).toEqual([{ attribute: '$none', operator: 'is_not_set', values: [] }])
    expect(isMatchedBy(expanded, { key: null, attributes: {} })).toBe(true)
  })

  it('have the variant of a rule only where the segment is the head of the rule', () => {
    const all: Segments = new Map([
      [
        's',
        { rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'], variant: 'of the segment' }] },
      ],
    ])
    const condition = { segment_key: 's', operator: 'in_segment' as const }
    const asHead = expandRules([{ segment_key: 's', variant: 'own' }], all, 'string')
    const asCondition = expandRules(
      [{ attribute: 'age', operator: 'is_set', values: [], conditions: [condition], variant: 'own' }],
      all,
      'string',
    )
    expect(asHead[0]?.variant).toBe('of the segment')
    expect(asCondition[0]?.variant).toBe('own')
  })

  it('keep the share, the values and the bucketing of the rule', () => {
    const more = {
      off: true,
      rollout_percentage: 5,
      bucket_by: 'company',
      rollout_salt: 'x',
      hash: 'launchdarkly' as const,
    }
    const all: Segments = new Map([['s', { rules: [], included_keys: ['ann'] }]])
    expect(expandRules([{ segment_key: 's', ...more }], all, 'boolean')).toEqual([
      { attribute: '$user_key', operator: 'equals', values: ['ann'], ...more },
    ])
  })

  it('are refused when they take too many steps, also where they expand to nothing', () => {
    const reference = { segment_key: 'b', operator: 'in_segment' as const }
    const conditions = [
      ...Array.from({ length: 20_000 }, () => reference),
      { ...reference, segment_key: 'none' },
    ]
    const all: Segments = new Map<string, SegmentMembers>([
      ['a', { rules: [{ attribute: 'x', operator: 'is_set', values: [], conditions }] }],
      ['b', { rules: [], included_keys: ['u'] }],
      ['none', { rules: [] }],
    ])
    expect(() => expandRules([{ segment_key: 'a' }], all, null)).toThrowError(/become too large/)
  })

  it('may use a long list of user keys several times', () => {
    const included_keys = Array.from({ length: 10_000 }, (_, n) => `user-${n}`)
    const rule: TargetingRule = { segment_key: 'many' }
    const all: Segments = new Map([['many', { rules: [], included_keys }]])
    expect(expandRules([rule, rule, rule], all, null)).toHaveLength(3)
  })

  it('match no user where a condition names a segment that names itself', () => {
    const all: Segments = new Map([
      ['a', { rules: [{ attribute: 'plan', operator: 'equals', values: ['pro'] }, { segment_key: 'a' }] }],
    ])
    for (const operator of ['in_segment', 'not_in_segment'] as const) {
      const conditions = [{ segment_key: 'a', operator }]
      expect(
        expandRules([{ attribute: 'age', operator: 'is_set', values: [], conditions }], all, null),
      ).toEqual([])
    }
  })

  it('are refused when the patterns of segments are too large together', () => {
    const rules: TargetingRule[] = Array.from({ length: 6 }, (_, n) => ({
      attribute: 'a',
      operator: 'matches',
      values: [`a{990}${n}`],
    }))
    const all: Segments = new Map([['s', { rules }]])
    expect(() => expandRules([{ segment_key: 's' }], all, null)).toThrowError(/patterns too large together/)
    expect(
      expandRules([{ segment_key: 's' }], new Map([['s', { rules: rules.slice(1) }]]), null),
    ).toHaveLength(5)
  })

  it('are refused when alternatives multiply beyond the bounds', () => {
    const two = (n: number): TargetingRule => ({
      attribute: `a${n}`,
      operator: 'equals',
      values: ['x'],
      conditions: [{ attribute: `b${n}`, operator: 'equals', values: ['x'] }],
    })
    const all: Segments = new Map([['s', { rules: Array.from({ length: 40 }, (_, n) => two(n)) }]])
    expect(() => expandRules([{ segment_key: 's', operator: 'not_in_segment' }], all, null)).toThrowError(
      /become too large/,
    )
  })
})

/** Evaluates the expanded rules with the evaluator itself. */
function isMatchedBy(rules: object[], { attributes, key }: User): boolean {
  const flag = {
    key: 'f',
    is_enabled: true,
    rollout_percentage: 0,
    flag_type: 'boolean',
    rules,
    requires: ['user_key'],
  }
  const flags = createFlagSet([{ ...flag, default_value: true, disabled_value: false }])
  const { reason } = flags.resolve('f', key, attributes)
  expect(reason).not.toBe('ERROR')
  return reason === 'TARGETING_MATCH'
}

type Test = NonNullable<TargetingRule['conditions']>[number] | TargetingRule

/** Decides by the definition of segments, without any expansion. */
function matches(given: TargetingRule, all: Segments, subject: User): boolean {
  return [given, ...(given.conditions ?? [])].every((each: Test) => {
    if (!('segment_key' in each) || !each.segment_key) return holds(each as TargetingRule, subject)
    const found = all.get(each.segment_key)
    return found !== undefined && isIn(found, all, subject) === (each.operator !== 'not_in_segment')
  })
}

function isIn(
  { excluded_keys = [], included_keys = [], rules }: SegmentMembers,
  all: Segments,
  subject: User,
): boolean {
  if (subject.key !== null && included_keys.includes(subject.key)) return true
  if (subject.key !== null && excluded_keys.includes(subject.key)) return false
  return rules.some((each) => matches(each, all, subject))
}

function holds({ attribute = '', operator, values = [] }: TargetingRule, { attributes }: User): boolean {
  const actual = attributes[attribute]
  const any = (fits: (value: string) => boolean) => actual !== undefined && values.some(fits)
  const none = (fits: (value: string) => boolean) => values.length > 0 && !any(fits)
  switch (operator) {
    case 'is_set':
      return actual !== undefined
    case 'is_not_set':
      return actual === undefined
    case 'equals':
      return any((value) => value === actual)
    case 'not_in':
      return none((value) => value === actual)
    case 'not_equals':
      return values.some((value) => value !== actual)
    case 'contains':
      return any((value) => actual?.includes(value) ?? false)
    case 'not_contains':
      return none((value) => actual?.includes(value) ?? false)
    default:
      return any((value) => Number(actual) > Number(value))
  }
}

/** Makes a segment name only segments after its own. */
function withoutBackReferences(given: SegmentMembers, at: number): SegmentMembers {
  const forward = <T extends Test>(each: T): T => {
    if (!('segment_key' in each) || !each.segment_key || each.segment_key === 'unknown') return each
    const index = KEYS.indexOf(each.segment_key as (typeof KEYS)[number])
    return index > at ? each : { ...each, segment_key: KEYS[at + 1] ?? 'unknown' }
  }
  return {
    ...given,
    rules: given.rules.map((each) => ({
      ...forward(each),
      ...(each.conditions && { conditions: each.conditions.map(forward) }),
    })),
  }
}
