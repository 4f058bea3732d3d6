import { describe, expect, test } from 'vitest'
import { explain } from '../../src/explain.ts'
import {
  type Attributes,
  createFlagSet,
  type EvaluatedFlag,
  OPERATORS,
  type TargetingRule,
} from '../../src/index.ts'
import { createFlagSet as createLightSet } from '../../src/light.ts'
import { aFlag, aRule, needs } from './builders.ts'
import { referenceEvaluate } from './reference/reference-evaluate.ts'

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)
/** Tests 99 values in a text, of which a long one takes too many steps. */
const costly = (stated: Partial<TargetingRule> = {}) =>
  aRule({ attribute: 'it', operator: 'contains', values: numbered('abcdef', 99), ...stated })
const LARGE = { it: 'b'.repeat(200_000) }
const TOO_LARGE = {
  value: null,
  enabled: false,
  reason: 'ERROR',
  message:
    'takes more than 20000000 steps, or an attribute has more than 100000 elements: pass shorter lists and texts, or test fewer values',
}

/** A generator of whole numbers (a linear congruential one, modulo 2^32). */
function numbersFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const VALUES = ['a', 'ab', '', '1', '1.0.0', '2026-03-01T12:00:00Z', 'x1', 'abcdefgh', 'true', '\0']
const PATTERNS = ['a', '^x\\d+$', '[ab]{3}', '(?i)AB', '.', 'é?']

function randomRule(random: (below: number) => number): TargetingRule {
  const operator = OPERATORS[random(OPERATORS.length)] ?? 'equals'
  const pool = operator.endsWith('matches')
    ? PATTERNS
    : [...VALUES, ...numbered('x', random(40) * random(10))]
  const isAll = random(3) === 0
  const values = pool.filter(() => isAll || random(pool.length) < 3)
  const attribute = ['it', 'other', 'bucket'][random(3)] ?? 'it'
  const extended = random(6) === 0 ? { rollout_percentage: random(101), bucket_by: 'bucket' } : {}
  return aRule({ attribute, operator, values, ...extended })
}

function randomAttribute(random: (below: number) => number): Attributes[string] {
  const texts = [...VALUES, 12, -0, true, null, 1e21, 'x'.repeat(70), ...numbered('x', 300)]
  const list = (length: number) => Array.from({ length }, () => texts[random(texts.length)])
  return [
    () => texts[random(texts.length)],
    () => list(random(4)),
    () => list(random(120)),
    () => [list(random(3)), ...list(random(3)), [list(2)]],
    () => 'ab1.'.repeat(random(400)),
  ][random(5)]?.()
}

test('random lists give the result of the reference with as many steps', () => {
  const random = numbersFrom(7)
  for (let round = 0; round < 150; round++) {
    const rules = Array.from({ length: random(12) }, () => randomRule(random))
    const flags = [
      aFlag({ rules, rollout_percentage: random(2) * 40, prerequisites: [needs('second')] }),
      aFlag({ key: 'second', rules: [randomRule(random)] }),
    ]
    const attributes = {
      it: randomAttribute(random),
      other: randomAttribute(random),
      bucket: randomAttribute(random),
    }
    const userKey = random(2) === 0 ? 'ann' : 'k'.repeat(random(200))
    const set = createFlagSet(flags)
    const spent = new Map<string, number>()
    const expected = referenceEvaluate(flags, 'flag', userKey, attributes, 10, spent)
    const title = `round ${round}`
    const result = set.resolve('flag', userKey, attributes)
    expect(result.reason, title).toBe(expected.reason)
    if (expected.reason === 'ERROR') continue
    expect(result, title).toEqual(expected)
    expect(set.steps, title).toBe([...spent.values()].reduce((sum, steps) => sum + steps, 0))
    const { trace, ...explained } = explain(set, 'flag', { userKey, attributes })
    expect(explained, title).toEqual(expected)
  }
})

describe('attributes that take too many steps', () => {
  test.each<[string, EvaluatedFlag[]]>([
    ['of one rule', [aFlag({ rules: [costly()] })]],
    ['of a complement', [aFlag({ rules: [costly({ operator: 'not_contains' })] })]],
    ['of a condition', [aFlag({ rules: [aRule({ conditions: [costly()] })] })]],
    ['behind a rule that matches', [aFlag({ rules: [aRule(), costly()] })]],
    [
      'of a prerequisite',
      [aFlag({ prerequisites: [needs('deep')] }), aFlag({ key: 'deep', rules: [costly()] })],
    ],
  ])('are an error that names the bound: %s', (_title, flags) => {
    const set = createFlagSet(flags)
    const attributes = { ...LARGE, plan: 'pro' }
    expect(set.resolve('flag', 'ann', attributes)).toEqual(TOO_LARGE)
    expect(set.isEnabled('flag', 'ann', attributes)).toBe(false)
    expect(explain(set, 'flag', { userKey: 'ann', attributes })).toEqual(TOO_LARGE)
    // The next user is another evaluation.
    expect(set.resolve('flag', 'ann', { plan: 'pro' }).reason).not.toBe('ERROR')
  })

  test('are an error of the light client too, without a message', () => {
    const set = createLightSet([aFlag({ rules: [costly()] })])
    expect(set.resolve('flag', 'ann', LARGE)).toEqual({ value: null, enabled: false, reason: 'ERROR' })
  })

  test('are the same with and without the evaluations before', () => {
    const flags = [
      aFlag({
        prerequisites: [needs('left'), needs('right')],
        rules: [costly({ values: numbered('abcdef', 40) })],
      }),
      aFlag({ key: 'left', prerequisites: [needs('deep')] }),
      aFlag({ key: 'right', prerequisites: [needs('deep')] }),
      aFlag({ key: 'deep', rollout_percentage: 100, rules: [costly({ values: numbered('abcdef', 40) })] }),
    ]
    // One visit of `deep` is within the bound together with `flag`, two would be beyond it.
    const attributes = { it: 'b'.repeat(110_000) }
    const set = createFlagSet(flags)
    for (const key of ['deep', 'left', 'right', 'flag', 'flag', 'deep'])
      expect(set.resolve(key, 'ann', attributes)).toEqual(
        createFlagSet(flags).resolve(key, 'ann', attributes),
      )
    expect(set.resolve('flag', 'ann', attributes).reason).toBe('DEFAULT')
  })

  test('do not depend on the order of rules, nor on their index', () => {
    const rules = [...numbered('plan-', 20).map((value) => aRule({ values: [value] })), costly()]
    for (const ordered of [rules, rules.toReversed()])
      expect(
        createFlagSet([aFlag({ rules: ordered })]).resolve('flag', 'ann', { ...LARGE, plan: 'plan-3' }),
      ).toEqual(TOO_LARGE)
  })
})

test('an allow-list of 1,000 texts finds one of 500 elements', () => {
  const uuid = (at: number) => `6d0b26a1-4c3f-4f0e-9d57-${String(at).padStart(12, '0')}`
  const values = Array.from({ length: 1_000 }, (_, at) => uuid(at))
  const set = createFlagSet([
    aFlag({ rollout_percentage: 0, rules: [aRule({ attribute: 'it', operator: 'contains', values })] }),
  ])
  const others = Array.from({ length: 500 }, (_, at) => uuid(5_000 + at))
  expect(set.isEnabled('flag', 'ann', { it: others })).toBe(false)
  expect(set.isEnabled('flag', 'ann', { it: [...others.slice(1), uuid(999)] })).toBe(true)
})

test('20,000 values and a list of 8,000 elements are within the bound where the list alone decides', () => {
  const cases: [TargetingRule['operator'], (at: number) => string, (at: number) => string][] = [
    ['equals', (at) => `value-${at}`, (at) => `item-${at}`],
    ['starts_with', (at) => `value-${at}`, (at) => `item-${at}`],
    ['ends_with', (at) => `value-${at}`, (at) => `item-${at}`],
    ['greater_than', (at) => String(at + 50_000), String],
    ['semver_equal', (at) => `1.${at}.0`, (at) => `0.${at}.0`],
    ['semver_greater_than', (at) => `1.${at}.0`, (at) => `0.${at}.0`],
    ['before', (at) => String(at), (at) => String(at + 50_000)],
  ]
  for (const [operator, toValue, toElement] of cases) {
    const values = Array.from({ length: 20_000 }, (_, at) => toValue(at))
    const it = Array.from({ length: 8_000 }, (_, at) => toElement(at))
    const set = createFlagSet([
      aFlag({ rollout_percentage: 0, rules: [aRule({ attribute: 'it', operator, values })] }),
    ])
    expect(set.resolve('flag', 'ann', { it }).reason, operator).toBe('DEFAULT')
    const [last = ''] = values.slice(-1)
    const found = operator === 'greater_than' ? '99999' : operator === 'before' ? '-1' : last
    const match = operator === 'semver_greater_than' ? '9.0.0' : found
    expect(set.isEnabled('flag', 'ann', { it: [...it, match] }), operator).toBe(true)
  }
})

test('a list is read once for a thousand conditions', () => {
  let reads = 0
  const it = new Proxy(numbered('item-', 2_000), {
    get(target, name) {
      if (name === '0') reads += 1
      return Reflect.get(target, name)
    },
  })
  const operators: TargetingRule['operator'][] = [
    'equals',
    'not_in',
    'contains',
    'semver_less_than',
    'matches',
  ]
  const conditions = Array.from({ length: 1_000 }, (_, at) =>
    aRule({
      attribute: 'it',
      operator: at % 200 === 0 ? (operators[at / 200] ?? 'equals') : 'greater_than',
      values: [String(at)],
    }),
  )
  const set = createFlagSet([aFlag({ rules: conditions })])
  expect(set.resolve('flag', 'ann', { it: it as unknown as string[] }).reason).not.toBe('ERROR')
  expect(reads).toBe(1)
})
