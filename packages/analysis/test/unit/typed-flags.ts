import { type EvaluatedFlag, HASHES, listRequirements, OPERATORS, operatorKind } from '@burgee/evaluation'
import fc from 'fast-check'
import { aFlag, needs, weighted } from '../../../evaluation/test/unit/builders.ts'

/** Flags whose attributes are tested by operators of one kind, as people write them. */
const textOperators = OPERATORS.filter((operator) => ['text', 'presence'].includes(operatorKind(operator)))
const operatorsOf = (kind: string) => [
  ...OPERATORS.filter((operator) => operatorKind(operator) === kind),
  'equals' as const,
  'not_in' as const,
  'is_set' as const,
]
const KINDS = {
  plan: { operators: textOperators, values: ['', 'a', 'ab', 'ba', 'aba', 'é'] },
  $user_key: { operators: textOperators, values: ['ann', 'an', 'n', 'bob'] },
  code: {
    operators: [...textOperators, 'matches' as const, 'not_matches' as const, 'matches' as const],
    values: ['a', '^a', 'b$', '^[a-c]+$', '(?i)AB', '\\bab\\b', '\\d{2}', '^$', '.'],
  },
  age: { operators: operatorsOf('number'), values: ['1', '2', '2.5', '-3', '1e3', 'none'] },
  version: { operators: operatorsOf('version'), values: ['1', '1.2', '1.2.0-a', 'v2.0.1', 'none'] },
  seen: { operators: operatorsOf('time'), values: ['2026-01-02T03:04:05Z', '1767323046000', 'none'] },
}
const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[]
const TEXTS = [
  ...Object.values(KINDS).flatMap(({ values }) => values),
  'aab',
  'A b',
  '12',
  'a'.repeat(513),
  'x',
  '1.2.1',
  '1.1.9-b',
  '1767323045500',
]

export const typedCondition = fc.constantFrom(...NAMES).chain((attribute) =>
  fc.record({
    attribute: fc.constant(attribute),
    operator: fc.constantFrom(...KINDS[attribute].operators),
    values: fc.uniqueArray(fc.constantFrom(...KINDS[attribute].values), { maxLength: 3 }),
  }),
)
const rare = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })
const division = {
  bucket_by: rare(fc.constantFrom('plan', '$user_key')),
  rollout_salt: rare(fc.constant('shop:')),
  hash: rare(fc.constantFrom(...HASHES)),
  rollout_thousandths: rare(fc.constantFrom(0, 30_500, 100_000)),
  rollout_percentage: rare(fc.constantFrom(0, 29, 50, 100)),
}
const value = fc.constantFrom('x', 'y')
const rule = fc
  .tuple(
    typedCondition,
    fc.record({
      ...division,
      off: rare(fc.boolean()),
      variants: rare(fc.constantFrom(weighted(1, 2, 1), weighted(0, 3))),
      conditions: fc.array(typedCondition, { maxLength: 2 }),
      variant: value,
    }),
  )
  .map(([own, stated]) => ({ ...own, ...stated, variant: stated.variants ? null : stated.variant }))

const flag = (key: string, prerequisites: readonly string[]): fc.Arbitrary<EvaluatedFlag> =>
  fc
    .record({
      ...division,
      is_enabled: fc.constantFrom(true, true, true, false),
      rules: fc.array(rule, { maxLength: 4 }),
      variants: fc.constantFrom([], [], weighted(1, 2, 1)),
      prerequisites: fc.subarray([...prerequisites]).map((keys) => keys.map((each) => needs(each))),
      default_value: value,
      disabled_value: value,
    })
    .map((stated) => {
      const made = aFlag({ ...stated, key, flag_type: 'string' })
      return { ...made, requires: listRequirements(made) }
    })

export const typedFlags = fc.tuple(flag('a', ['b', 'c']), flag('b', ['c']), flag('c', []))

const scalar = fc.oneof(fc.constantFrom(...TEXTS), fc.integer({ min: -4, max: 4 }), fc.string())
const attribute = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.constant(null))
export const typedUser = fc.record({
  userKey: fc.oneof(fc.constantFrom(null, 'ann', 'bob'), fc.string()),
  attributes: fc.dictionary(fc.constantFrom(...NAMES), attribute),
})
