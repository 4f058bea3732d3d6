import fc from 'fast-check'
import {
  type AttributeValue,
  type EvaluatedFlag,
  HASHES,
  listRequirements,
  OPERATORS,
  type TargetingRule,
} from '../../../src/index.ts'
import { aFlag, weighted } from '../builders.ts'

/** Flags with every operator, extension and kind of prerequisite, some of them not valid. */
export const FLAG_KEYS = ['a', 'b', 'c', 'd', 'unknown'] as const

const text = fc.constantFrom('', 'a', 'ab', 'pro', '10', '9.5', 'true', '1.2.0', '2026-01-02T03:04:05Z', 'é')
const condition = fc.record({
  attribute: fc.constantFrom('plan', 'age', '$user_key', '$none', '__proto__'),
  operator: fc.constantFrom(...OPERATORS),
  values: fc.array(text, { maxLength: 4 }),
})
const rare = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })
const salt = rare(fc.constantFrom('', 'shop:'))
const division = {
  bucket_by: rare(fc.constantFrom('age', '$user_key', 'absent')),
  rollout_salt: salt,
  variant_salt: salt,
  hash: rare(fc.constantFrom(...HASHES)),
  rollout_thousandths: rare(fc.constantFrom(0, 30_500, 29_000, 57_000, 99_999, 100_000)),
  rollout_percentage: rare(fc.constantFrom(0, 1, 29, 50, 58, 99, 100)),
}
const value = fc.constantFrom('x', 'y', null)
const variants = fc.constantFrom([], [], weighted(1, 2, 1), weighted(0, 3))
const rule = fc
  .record({
    ...division,
    off: rare(fc.boolean()),
    variants: rare(variants),
    conditions: fc.array(condition, { maxLength: 2 }),
    variant: value,
  })
  .chain((stated) =>
    condition.map(
      (own): TargetingRule => ({ ...own, ...stated, variant: stated.variants ? null : stated.variant }),
    ),
  )
const prerequisite = fc.record({
  flag_key: fc.constantFrom(...FLAG_KEYS),
  required_value: fc.constantFrom<string | boolean | null>('x', true, null),
})

const flag = (key: string): fc.Arbitrary<EvaluatedFlag> =>
  fc
    .record({
      ...division,
      is_enabled: fc.constantFrom(true, true, true, false),
      rules: fc.array(rule, { maxLength: 10 }),
      variants,
      prerequisites: fc.array(prerequisite, { maxLength: 3 }),
      flag_type: fc.constantFrom<'string' | 'boolean'>('string', 'boolean'),
      default_value: value,
      disabled_value: value,
      variant_names: rare(fc.constant({ named: 'x' })),
      requires: rare(fc.constantFrom<string[]>(['telepathy'], ['user_key'])),
    })
    .map(({ requires, ...stated }) => {
      const isBoolean = stated.flag_type === 'boolean'
      const made = {
        ...aFlag(),
        ...stated,
        key,
        ...(isBoolean && { default_value: true, disabled_value: false, variants: [] }),
        variant_names: stated.variant_names ?? {},
        metadata: {},
        rules: isBoolean ? stated.rules.map((each) => ({ ...each, variants: [] })) : stated.rules,
      }
      return { ...made, requires: requires ?? listRequirements(made) }
    })

export const someFlags = fc.tuple(flag('a'), flag('b'), flag('c'), flag('d'))

const scalar = fc.oneof(text, fc.integer({ min: -20, max: 20 }), fc.boolean(), fc.constantFrom(null, -0))
const attribute: fc.Arbitrary<AttributeValue> = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))
export const someUser = fc.record({
  userKey: fc.oneof(fc.constantFrom(null, '', 'ann', 'ユーザー'), fc.string({ unit: 'binary' })),
  attributes: fc.dictionary(fc.constantFrom('plan', 'age', '$user_key', '__proto__'), attribute),
})
