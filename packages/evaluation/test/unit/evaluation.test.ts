import { describe, expect, test } from 'vitest'
import { createFlagSet, type EvaluatedFlag, type JsonValue } from '../../src/index.ts'
import { aFlag, aRule, aStringFlag, needs, users, weighted } from './builders.ts'
import { referenceMurmur3 } from './reference/reference-murmur3.ts'

const pro = { plan: 'pro' }
const bucketOf = (flagKey: string, userKey: string) => referenceMurmur3(`${flagKey}:${userKey}`) % 100

function evaluate(flag: EvaluatedFlag, userKey: string | null = 'ann', attributes = {}) {
  return createFlagSet([flag]).resolve(flag.key, userKey, attributes)
}

describe('the order of evaluation', () => {
  test('1. an unknown flag has no value and is not enabled', () => {
    const set = createFlagSet([aFlag()])
    expect(set.resolve('other', 'ann')).toEqual({ value: null, enabled: false, reason: 'FLAG_NOT_FOUND' })
    expect(set.isEnabled('other', 'ann')).toBe(false)
  })

  test('2. prerequisites are checked before the flag itself', () => {
    const flag = aStringFlag({ is_enabled: false, rules: [aRule()], prerequisites: [needs('missing')] })
    expect(evaluate(flag, 'ann', pro)).toMatchObject({
      value: 'off',
      enabled: false,
      reason: 'PREREQUISITE_FAILED',
      prerequisite_key: 'missing',
    })
  })

  test('3. a disabled flag has disabled_value, whatever its rules and rollout', () => {
    const flag = aStringFlag({ is_enabled: false, rules: [aRule()], variants: weighted(1, 1) })
    expect(evaluate(flag, 'ann', pro)).toMatchObject({ value: 'off', enabled: false, reason: 'DISABLED' })
  })

  test('4. the first matching rule wins, even at a rollout of 0', () => {
    const rules = [
      aRule({ values: ['free'], variant: 'first' }),
      aRule({ variant: 'second' }),
      aRule({ variant: 'third' }),
    ]
    const flag = aStringFlag({ rollout_percentage: 0, rules, variants: weighted(1) })
    expect(evaluate(flag, 'ann', pro)).toMatchObject({
      value: 'second',
      enabled: true,
      reason: 'TARGETING_MATCH',
      rule_index: 1,
    })
  })

  test('4. a matching rule without a variant gives default_value', () => {
    for (const variant of [undefined, null]) {
      const rule = variant === undefined ? aRule() : aRule({ variant })
      expect(evaluate(aStringFlag({ rules: [rule] }), null, pro).value).toBe('on')
    }
  })

  test('4. a matching rule of a boolean flag gives true, whatever its variant and default_value', () => {
    const flag = aFlag({ default_value: false, rules: [aRule({ variant: false })] })
    expect(evaluate(flag, 'ann', pro)).toMatchObject({
      value: true,
      enabled: true,
      reason: 'TARGETING_MATCH',
      rule_index: 0,
    })
  })

  test('4. a rule with conditions matches only when its own test and every condition hold', () => {
    const conditions = [
      { attribute: 'country', operator: 'equals' as const, values: ['NL', 'BE'] },
      { attribute: 'age', operator: 'greater_than' as const, values: ['17'] },
    ]
    const set = createFlagSet([aFlag({ rollout_percentage: 0, rules: [aRule({ conditions })] })])
    expect(set.isEnabled('flag', 'ann', { plan: 'pro', country: 'NL', age: 18 })).toBe(true)
    expect(set.isEnabled('flag', 'ann', { plan: 'free', country: 'NL', age: 18 })).toBe(false)
    expect(set.isEnabled('flag', 'ann', { plan: 'pro', country: 'DE', age: 18 })).toBe(false)
    expect(set.isEnabled('flag', 'ann', { plan: 'pro', country: 'NL', age: 17 })).toBe(false)
    expect(set.isEnabled('flag', 'ann', { plan: 'pro', country: 'NL' })).toBe(false)
  })

  test('5. a user is inside the rollout when the bucket of "flag key:user key" is below the percentage', () => {
    for (const percentage of [1, 30, 50, 99]) {
      const set = createFlagSet([aFlag({ key: 'new-checkout', rollout_percentage: percentage })])
      for (const user of [...users(300), '', 'ユーザー', '😀', 'a:b']) {
        const expected = bucketOf('new-checkout', user) < percentage
        expect(set.resolve('new-checkout', user)).toMatchObject({
          value: expected,
          enabled: expected,
          reason: 'SPLIT',
        })
      }
    }
  })

  test('5. a rollout of 0 includes no users, of 100 or null all users', () => {
    for (const user of users(200)) {
      expect(evaluate(aStringFlag({ rollout_percentage: 0 }), user)).toMatchObject({
        value: 'off',
        enabled: false,
        reason: 'DEFAULT',
      })
      for (const rollout_percentage of [100, null]) {
        expect(evaluate(aStringFlag({ rollout_percentage }), user)).toMatchObject({
          value: 'on',
          enabled: true,
          reason: 'STATIC',
        })
      }
    }
  })

  test('6. when none of the rules matches, the reason is DEFAULT', () => {
    expect(evaluate(aFlag({ rules: [aRule()] }))).toMatchObject({
      value: true,
      enabled: true,
      reason: 'DEFAULT',
    })
  })

  test('6. a variant is chosen by weight, only for users inside the rollout without a matching rule', () => {
    const flag = aStringFlag({ rollout_percentage: 50, rules: [aRule()], variants: weighted(1, 1) })
    for (const user of users(200)) {
      const inside = bucketOf('flag', user) < 50
      const second = referenceMurmur3(`variant:flag:${user}`) >= 2 ** 31
      expect(evaluate(flag, user)).toMatchObject(
        inside
          ? { value: second ? 'b' : 'a', enabled: true, reason: 'SPLIT', variant_index: second ? 1 : 0 }
          : { value: 'off', enabled: false, reason: 'SPLIT' },
      )
      expect(evaluate(flag, user, pro).value).toBe('on')
    }
  })
})

describe('a user without a key', () => {
  test('a user without a key is outside every rollout below 100', () => {
    for (const percentage of [1, 50, 99]) {
      expect(evaluate(aFlag({ rollout_percentage: percentage }), null).enabled).toBe(false)
      expect(createFlagSet([aFlag({ rollout_percentage: percentage })]).resolve('flag').enabled).toBe(false)
    }
    expect(evaluate(aFlag({ rollout_percentage: 100 }), null).enabled).toBe(true)
  })

  test('a user without a key gets default_value instead of a variant', () => {
    const flag = aStringFlag({ variants: weighted(1, 1) })
    expect(evaluate(flag, null)).toMatchObject({ value: 'on', enabled: true, reason: 'DEFAULT' })
  })

  test('rules match a user without a key like any other', () => {
    expect(evaluate(aFlag({ rollout_percentage: 0, rules: [aRule()] }), null, pro).value).toBe(true)
  })

  test('a user without a key is not the user with the empty key', () => {
    const flag = aStringFlag({ variants: weighted(1, 1) })
    expect(evaluate(flag, '').reason).toBe('SPLIT')
  })
})

describe('weights', () => {
  const choices = (weights: number[], count = 2000) => {
    const set = createFlagSet([aStringFlag({ variants: weighted(...weights) })])
    return users(count).map((user) => set.resolve('flag', user).variant_index)
  }

  test('weights of 6,3,1 and of 60,30,10 give every user the same variant', () => {
    expect(choices([6, 3, 1], 20_000)).toEqual(choices([60, 30, 10], 20_000))
  })

  test('variants with a weight of zero are never chosen, in any position', () => {
    expect(choices([0, 1, 0, 1, 0])).not.toContain(0)
    expect(choices([0, 1, 0, 1, 0])).not.toContain(2)
    expect(choices([0, 1, 0, 1, 0])).not.toContain(4)
    expect(new Set(choices([0, 0, 5]))).toEqual(new Set([2]))
  })

  test('a user exactly on a border of the weights gets the variant after it', () => {
    const hash = referenceMurmur3('variant:flag:ann')
    const at = (first: number) =>
      evaluate(aStringFlag({ variants: weighted(first, 2 ** 32 - first) })).variant_index
    expect([at(hash - 1), at(hash), at(hash + 1)]).toEqual([1, 1, 0])
  })

  test('weights distribute users in proportion', () => {
    const counts = [0, 0, 0]
    for (const index of choices([6, 3, 1], 20_000)) counts[index ?? 0] = (counts[index ?? 0] ?? 0) + 1
    expect(counts.map((count) => Math.round(count / 200))).toEqual([60, 30, 10])
  })

  test('when a weight grows, users move only into that variant or across its borders', () => {
    const before = choices([50, 30, 20], 20_000)
    const after = choices([50, 30, 30], 20_000)
    const moved = before.filter((index, at) => index !== after[at]).length
    // Borders move from 0.5 to 0.4545 and from 0.8 to 0.7272: 11.8% of the users lie in between.
    expect(moved / before.length).toBeLessThan(0.13)
    expect(before.every((index, at) => (after[at] ?? -1) >= (index ?? 9))).toBe(true)
  })
})

describe('isEnabled of a flag set', () => {
  test.each<[string, EvaluatedFlag, boolean]>([
    ['is the value of a boolean flag', aFlag(), true],
    ['is false for an enabled boolean flag whose value is false', aFlag({ default_value: false }), false],
    [
      'is true for a disabled boolean flag whose disabled_value is true',
      aFlag({ is_enabled: false, disabled_value: true }),
      true,
    ],
    ['is whether a string flag is enabled', aStringFlag(), true],
    ['is false for a disabled string flag', aStringFlag({ is_enabled: false }), false],
    [
      'is whether a json flag is enabled, not its value',
      aFlag({ flag_type: 'json', default_value: false }),
      true,
    ],
    [
      'is false for a disabled json flag with the value true',
      aFlag({ flag_type: 'json', is_enabled: false, disabled_value: true }),
      false,
    ],
    ['is whether an integer flag is enabled', aFlag({ flag_type: 'integer', default_value: 0 }), true],
    [
      'is true for an enabled flag without a value',
      aFlag({ flag_type: 'string', default_value: null }),
      true,
    ],
  ])('%s', (_title, flag, expected) => {
    expect(createFlagSet([flag]).isEnabled('flag', 'ann')).toBe(expected)
  })
})

describe('results', () => {
  const json: JsonValue = { colours: ['red', { name: 'blue' }] }

  test('results are the same frozen object each time, with their values', () => {
    const set = createFlagSet([aFlag({ flag_type: 'json', default_value: json })])
    const result = set.resolve('flag', 'ann')
    expect(set.resolve('flag', 'ben')).toBe(result)
    expect(Object.isFrozen(result)).toBe(true)
    expect(() => {
      ;(result.value as { colours: string[] }).colours.push('green')
    }).toThrow(TypeError)
  })

  test('results do not change when the given flag is changed later', () => {
    const given = aFlag({ flag_type: 'json', default_value: { size: 1 } })
    const set = createFlagSet([given])
    ;(given.default_value as { size: number }).size = 2
    expect(set.resolve('flag').value).toMatchObject({ size: 1 })
  })

  test('results contain any kind of JSON', () => {
    for (const value of [
      json,
      [],
      {},
      'text',
      0,
      true,
      [null],
      JSON.parse('{"__proto__": {"a": 1}}') as JsonValue,
    ]) {
      expect(
        JSON.stringify(
          createFlagSet([aFlag({ flag_type: 'json', default_value: value })]).resolve('flag').value,
        ),
      ).toBe(JSON.stringify(value))
    }
  })
})
