import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AttributeValue, createFlagSet, type EvaluatedFlag, OPERATORS } from '../../src/index.ts'
import { aFlag, aStringFlag, users, weighted } from './builders.ts'
import { referenceEvaluate } from './reference/reference-evaluate.ts'

const flagKey = fc.stringMatching(/^[A-Za-z0-9_-]{1,100}$/)
const userKey = fc.string({ unit: 'binary' })

describe('rollout', () => {
  test('raising the rollout percentage never removes users', () => {
    fc.assert(
      fc.property(flagKey, userKey, (key, user) => {
        const inside = Array.from({ length: 101 }, (_, rollout_percentage) =>
          createFlagSet([aFlag({ key, rollout_percentage })]).isEnabled(key, user),
        )
        expect(inside[0]).toBe(false)
        expect(inside[100]).toBe(true)
        // Once true it stays true: sorted as numbers it is unchanged.
        expect(inside).toEqual([...inside].sort((left, right) => Number(left) - Number(right)))
      }),
    )
  })

  test('a rollout includes its share of users', () => {
    for (const rollout_percentage of [10, 30, 50, 90]) {
      const set = createFlagSet([aFlag({ rollout_percentage })])
      const inside = users(20_000).filter((user) => set.isEnabled('flag', user)).length
      expect(Math.abs(inside / 200 - rollout_percentage)).toBeLessThan(1.5)
    }
  })
})

describe('variants', () => {
  test('a user has the same variant in every set and at any percentage', () => {
    fc.assert(
      fc.property(
        flagKey,
        userKey,
        fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 6 }),
        (key, user, weights) => {
          fc.pre(weights.some((weight) => weight > 0))
          const flag = aStringFlag({ key, variants: weighted(...weights) })
          const [one, two] = [createFlagSet([flag]), createFlagSet([flag])]
          expect(two.resolve(key, user)).toEqual(one.resolve(key, user))
          const half = createFlagSet([{ ...flag, rollout_percentage: 50 }]).resolve(key, user)
          if (half.enabled) expect(half).toEqual(one.resolve(key, user))
        },
      ),
    )
  })

  test('variants do not depend on the scale of the weights', () => {
    fc.assert(
      fc.property(
        flagKey,
        userKey,
        fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 2, max: 1000 }),
        (key, user, weights, scale) => {
          fc.pre(weights.some((weight) => weight > 0))
          const choose = (scaled: number[]) =>
            createFlagSet([aStringFlag({ key, variants: weighted(...scaled) })]).resolve(key, user)
              .variant_index
          const chosen = choose(weights)
          expect(choose(weights.map((weight) => weight * scale))).toBe(chosen)
          expect(weights[chosen ?? -1]).toBeGreaterThan(0)
        },
      ),
    )
  })

  test('variants are independent of the rollout (chi-square)', () => {
    // A rollout in ten ranges of buckets against four variants of equal weight, with 40,000 users: 27 degrees
    // of freedom.
    const keys = users(40_000)
    const variant = createFlagSet([aStringFlag({ variants: weighted(1, 1, 1, 1) })])
    const gates = Array.from({ length: 9 }, (_, step) =>
      createFlagSet([aFlag({ rollout_percentage: (step + 1) * 10 })]),
    )
    const counts = Array.from({ length: 10 }, () => [0, 0, 0, 0])
    for (const key of keys) {
      const decile = gates.filter((gate) => !gate.isEnabled('flag', key)).length
      const row = counts[decile] ?? []
      const column = variant.resolve('flag', key).variant_index ?? 0
      row[column] = (row[column] ?? 0) + 1
    }
    const rows = counts.map((row) => row.reduce((sum, count) => sum + count, 0))
    const columns = [0, 1, 2, 3].map((at) => counts.reduce((sum, row) => sum + (row[at] ?? 0), 0))
    let chiSquare = 0
    for (const [at, row] of counts.entries()) {
      for (const [index, count] of row.entries()) {
        const expected = ((rows[at] ?? 0) * (columns[index] ?? 0)) / keys.length
        chiSquare += (count - expected) ** 2 / expected
      }
    }
    // The 99.9th percentile.
    expect(chiSquare).toBeLessThan(55.48)
  })
})

describe('the compiled evaluator', () => {
  const text = fc.constantFrom(
    '',
    'a',
    'b',
    'ab',
    'pro',
    '10',
    '9.5',
    ' 10 ',
    '1e1',
    '-3',
    'true',
    'false',
    '0x10',
    'é',
    '字',
    '😀',
  )
  const condition = fc.record({
    attribute: fc.constantFrom('one', 'two', '__proto__', 'toString'),
    operator: fc.constantFrom(...OPERATORS),
    values: fc.array(text, { maxLength: 6 }),
  })
  const value = fc.constantFrom('x', 'y', null)
  const rule = fc
    .tuple(condition, fc.array(condition, { maxLength: 2 }), value)
    .map(([own, conditions, variant]) => ({ ...own, conditions, variant }))
  const flag = (key: string) =>
    fc.record<EvaluatedFlag>({
      key: fc.constant(key),
      is_enabled: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
      rollout_percentage: fc.constantFrom(null, 0, 1, 50, 99, 100),
      rules: fc.array(rule, { maxLength: 3 }),
      flag_type: fc.constant('string'),
      default_value: value,
      disabled_value: value,
      variants: fc
        .array(fc.record({ weight: fc.nat({ max: 5 }), value }), { maxLength: 4 })
        .map((variants) => (variants.some(({ weight }) => weight > 0) ? variants : [])),
      prerequisites: fc.array(
        fc.record({ flag_key: fc.constantFrom('a', 'b', 'c', 'd'), required_value: value }),
        { maxLength: 2 },
      ),
    })
  const scalar = fc.oneof(
    text,
    fc.double(),
    fc.integer({ min: -20, max: 20 }),
    fc.boolean(),
    fc.constantFrom(null, undefined, -0),
  )
  const attribute: fc.Arbitrary<AttributeValue> = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 4 }),
    fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), { maxLength: 3 }),
  )
  const attributes = fc
    .array(fc.tuple(fc.constantFrom('one', 'two', '__proto__'), attribute))
    .map((entries) => Object.fromEntries(entries))

  test('compiled flags give the results of the reference', () => {
    fc.assert(
      fc.property(
        fc.tuple(flag('a'), flag('b'), flag('c')),
        fc.option(fc.oneof(userKey, fc.constantFrom('', 'ann', 'ユーザー'))),
        attributes,
        (flags, user, given) => {
          const set = createFlagSet(flags)
          for (const key of ['a', 'b', 'c', 'd']) {
            expect(set.resolve(key, user, given)).toStrictEqual(referenceEvaluate(flags, key, user, given))
          }
        },
      ),
      { numRuns: 1500 },
    )
  })

  test('compiled flags with many rules give the results of the reference', () => {
    const many = fc.array(rule, { minLength: 8, maxLength: 30 })
    fc.assert(
      fc.property(flag('a'), many, attributes, ({ rollout_percentage, ...stated }, rules, given) => {
        const flags = [{ ...stated, is_enabled: true, prerequisites: [], rollout_percentage, rules }]
        const set = createFlagSet(flags)
        expect(set.resolve('a', 'ann', given)).toStrictEqual(referenceEvaluate(flags, 'a', 'ann', given))
      }),
      { numRuns: 800 },
    )
  })

  test('compiled flags give the results of the reference when they are added one by one in any order', () => {
    fc.assert(
      fc.property(
        fc.tuple(flag('a'), flag('b'), flag('c'), flag('a')),
        attributes,
        ([a, b, c, older], given) => {
          const set = createFlagSet([older, c])
          for (const changed of [b, a]) set.upsert(changed)
          for (const key of ['a', 'b', 'c']) {
            expect(set.resolve(key, 'ann', given)).toStrictEqual(
              referenceEvaluate([a, b, c], key, 'ann', given),
            )
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
