import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createFlagSet,
  type EvaluatedFlag,
  HASHES,
  listRequirements,
  type TargetingRule,
} from '../../src/index.ts'
import { createFlagSet as createLightFlagSet } from '../../src/light.ts'
import { aFlag, aRule, aStringFlag, users, weighted } from './builders.ts'
import { referenceEvaluate } from './reference/reference-evaluate.ts'

const isSet = (stated: Partial<TargetingRule> = {}) => aRule({ operator: 'is_set', values: [], ...stated })

describe('a flag that requires an extension', () => {
  test('which this version does not know is an ERROR that names it', () => {
    const { message, ...result } = createFlagSet([aFlag({ requires: ['off', 'telepathy'] })]).resolve('flag')
    expect(result).toEqual({ value: null, enabled: false, reason: 'ERROR' })
    expect(message).toBe('requires telepathy, which this version does not know')
  })

  test('becomes valid with a later update', () => {
    const set = createFlagSet([aFlag({ requires: ['telepathy'] })])
    set.upsert(aFlag({ requires: [] }))
    expect(set.isEnabled('flag')).toBe(true)
  })

  test('is an ERROR of the light evaluator, as are operators that it does not know', () => {
    const set = createLightFlagSet([
      aFlag(),
      aFlag({ key: 'fine', requires: ['thousandths'] }),
      aFlag({ key: 'pattern', rules: [aRule({ operator: 'matches', values: ['a'] })] }),
      aFlag({ key: 'complement', rules: [aRule({ operator: 'not_in' })] }),
    ])
    expect(set.resolve('flag')).toEqual({ value: true, enabled: true, reason: 'STATIC' })
    for (const key of ['fine', 'pattern', 'complement']) expect(set.resolve(key).reason).toBe('ERROR')
  })
})

describe('a fine rollout', () => {
  test('of a whole percentage admits exactly the users of the percentage', () => {
    for (const percentage of [0, 1, 7, 30, 50, 99, 100]) {
      const whole = createFlagSet([aFlag({ rollout_percentage: percentage })])
      const fine = createFlagSet([aFlag({ rollout_thousandths: percentage * 1000 })])
      for (const user of users(3000)) expect(fine.isEnabled('flag', user)).toBe(whole.isEnabled('flag', user))
    }
  })

  test('never removes a user when it is raised', () => {
    const share = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(fc.string(), share, share, (user, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((rollout_thousandths) =>
          createFlagSet([aFlag({ rollout_thousandths })]).isEnabled('flag', user),
        )
        if (low) expect(high).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('includes its share of users', () => {
    const set = createFlagSet([aFlag({ rollout_thousandths: 2500 })])
    const inside = users(40_000).filter((user) => set.isEnabled('flag', user)).length
    expect(inside / 40_000).toBeGreaterThan(0.022)
    expect(inside / 40_000).toBeLessThan(0.028)
  })
})

describe('names of variants', () => {
  test('an array in results is shared and frozen, and so is the result', () => {
    const set = createFlagSet([aFlag({ flag_type: 'json', default_value: [1], variant_names: { one: [1] } })])
    expect(set.resolve('flag', 'ann')).toBe(set.resolve('flag', 'ben'))
    expect(set.resolve('flag').variant).toBe('one')
    expect(Object.isFrozen(set.resolve('flag'))).toBe(true)
  })
})

describe('junk in the fields of extensions', () => {
  const fields = ['rollout_thousandths', 'bucket_by', 'rollout_salt', 'variant_salt', 'hash', 'requires']
  const ofRules = ['off', 'rollout_percentage', 'variants', 'variant', 'conditions', ...fields.slice(0, 5)]
  const junk = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(Number.NaN, -1, 2 ** 53, '$user_key'))
  const some = (names: string[]) => fc.dictionary(fc.constantFrom(...names), junk, { maxKeys: 3 })

  test('is an ERROR or ignored, and never thrown', () => {
    fc.assert(
      fc.property(some([...fields, 'variant_names', 'metadata']), some(ofRules), (stated, ofRule) => {
        const flag = { ...aStringFlag(), ...stated, rules: [{ ...isSet(), ...ofRule }] }
        const set = createFlagSet([flag])
        for (const attributes of [{}, { plan: 'pro' }]) {
          expect(set.resolve('flag', 'ann', attributes).reason).toEqual(expect.any(String))
          expect(set.evaluate('flag', { userKey: null, attributes }).reason).toEqual(expect.any(String))
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('compiled flags with extensions', () => {
  const salt = fc.constantFrom<string | null>(null, '', 'shop:', 'é')
  const division = {
    bucket_by: fc.constantFrom<string | null>(null, null, 'company', '$user_key', 'absent'),
    rollout_salt: salt,
    variant_salt: salt,
    hash: fc.constantFrom(null, ...HASHES),
    rollout_thousandths: fc.constantFrom(null, null, 0, 30_500, 50_000, 99_999, 100_000),
    rollout_percentage: fc.constantFrom(null, 0, 50, 100),
  }
  const variants = fc.constantFrom([], weighted(1, 2, 1), weighted(0, 3), weighted(50, 50))
  const condition = fc.record({
    attribute: fc.constantFrom('plan', 'company', '$user_key', '$none'),
    operator: fc.constantFrom('equals' as const, 'not_in' as const, 'is_set' as const, 'is_not_set' as const),
    values: fc.constantFrom<string[]>(['pro', 'ann'], ['acme'], []),
  })
  const rule = fc
    .record({
      ...division,
      off: fc.constantFrom(null, false, true),
      variants,
      conditions: fc.array(condition, { maxLength: 1 }),
    })
    .chain((stated) => condition.map((own): TargetingRule => ({ ...stated, ...own })))
  const flag = fc
    .record({ ...division, variants, rules: fc.array(rule, { maxLength: 10 }) })
    .map((stated): EvaluatedFlag => aStringFlag({ ...stated, requires: listRequirements(stated) }))
  const user = fc.constantFrom(null, 'ann', 'ben', '', 'ユーザー', 'pro', '😀', 'acme')
  const attributes = fc.record(
    {
      plan: fc.constantFrom('pro', 'free'),
      company: fc.constantFrom<unknown>('acme', 42, true, ['acme'], null),
      $user_key: fc.constant('acme'),
      $none: fc.constant('acme'),
    },
    { requiredKeys: [] },
  )

  test('give the results of the reference', () => {
    fc.assert(
      fc.property(flag, user, attributes, (given, key, own) => {
        expect(createFlagSet([given]).resolve('flag', key, own as never)).toStrictEqual(
          referenceEvaluate([given], 'flag', key, own),
        )
      }),
      { numRuns: 1000 },
    )
  })
})
