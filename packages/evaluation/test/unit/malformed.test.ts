import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Attributes, createFlagSet, REASONS } from '../../src/index.ts'
import { aFlag, aRule, aStringFlag, needs } from './builders.ts'

const ERROR = { value: null, enabled: false, reason: 'ERROR' }

describe('a malformed flag', () => {
  test.each<[string, Record<string, unknown>]>([
    ['is_enabled missing', { is_enabled: undefined }],
    ['is_enabled null', { is_enabled: null }],
    ['is_enabled as text', { is_enabled: 'true' }],
    ['rollout_percentage as text', { rollout_percentage: '30' }],
    ['rollout_percentage below 0', { rollout_percentage: -1 }],
    ['rollout_percentage above 100', { rollout_percentage: 101 }],
    ['rollout_percentage not whole', { rollout_percentage: 30.5 }],
    ['rollout_percentage NaN', { rollout_percentage: Number.NaN }],
    ['an unknown flag_type', { flag_type: 'float' }],
    ['default_value of another type', { default_value: 'true' }],
    ['disabled_value of another type', { disabled_value: 0 }],
    ['an integer flag with a fraction', { flag_type: 'integer', default_value: 1.5, disabled_value: null }],
    ['a string flag with a number', { flag_type: 'string', default_value: 1, disabled_value: null }],
    ['rules no array', { rules: {} }],
    ['a rule that is null', { rules: [null] }],
    ['a rule that is a text', { rules: ['pro'] }],
    ['a rule without an attribute', { rules: [{ operator: 'equals', values: ['x'] }] }],
    ['a rule without values', { rules: [{ attribute: 'plan', operator: 'equals' }] }],
    ['an unknown operator', { rules: [{ attribute: 'plan', operator: 'resembles', values: ['x'] }] }],
    ['a pattern that is not valid', { rules: [{ attribute: 'plan', operator: 'matches', values: ['('] }] }],
    [
      'a complement of a pattern that is not valid',
      { rules: [{ attribute: 'plan', operator: 'not_matches', values: ['a**'] }] },
    ],
    ['a complement without values', { rules: [{ attribute: 'plan', operator: 'not_in' }] }],
    ['presence without an attribute', { rules: [{ operator: 'is_set' }] }],
    [
      'an operator of Object.prototype',
      { rules: [{ attribute: 'plan', operator: 'toString', values: ['x'] }] },
    ],
    ['values that are numbers', { rules: [{ attribute: 'plan', operator: 'equals', values: [1] }] }],
    ['a segment left unexpanded', { rules: [{ ...aRule(), segment_key: 'beta' }] }],
    ['conditions no array', { rules: [{ ...aRule(), conditions: {} }] }],
    [
      'a condition without an operator',
      { rules: [{ ...aRule(), conditions: [{ attribute: 'a', values: [] }] }] },
    ],
    [
      'a rule variant of another type',
      { flag_type: 'string', default_value: null, disabled_value: null, rules: [aRule({ variant: 1 })] },
    ],
    ['variants no array', { variants: 'a' }],
    ['variants on a boolean flag', { variants: [{ weight: 1, value: true }] }],
    [
      'a variant of another type',
      { flag_type: 'string', default_value: null, disabled_value: null, variants: [{ weight: 1, value: 1 }] },
    ],
    [
      'a negative weight',
      {
        flag_type: 'json',
        variants: [
          { weight: 2, value: 1 },
          { weight: -1, value: 2 },
        ],
      },
    ],
    ['a weight not whole', { flag_type: 'json', variants: [{ weight: 0.5, value: 1 }] }],
    ['a weight as text', { flag_type: 'json', variants: [{ weight: '1', value: 1 }] }],
    ['weights that are all zero', { flag_type: 'json', variants: [{ weight: 0, value: 1 }] }],
    ['prerequisites no array', { prerequisites: 'base' }],
    ['a prerequisite without a flag_key', { prerequisites: [{}] }],
  ])('%s', (_title, stated) => {
    const set = createFlagSet([{ ...aFlag(), ...stated }])
    expect(set.resolve('flag', 'ann', { plan: 'pro' })).toEqual(ERROR)
    expect(set.isEnabled('flag', 'ann')).toBe(false)
  })

  test('a malformed flag recovers with the next valid one', () => {
    const set = createFlagSet([aFlag({ rollout_percentage: 200 })])
    set.upsert(aFlag())
    expect(set.isEnabled('flag')).toBe(true)
    set.upsert(aFlag({ rollout_percentage: 200 }))
    expect(set.resolve('flag')).toEqual(ERROR)
  })

  test('a malformed flag does not affect other flags', () => {
    const set = createFlagSet([
      aFlag({ key: 'bad', rules: 'x' as never }),
      aFlag(),
      null,
      7,
      'x',
      {},
      { key: 7 },
    ])
    expect([...set.keys()]).toEqual(['bad', 'flag'])
    expect(set.isEnabled('flag')).toBe(true)
  })
})

describe('missing, null and unknown fields', () => {
  test('a missing field has its default', () => {
    const boolean = createFlagSet([{ key: 'flag', is_enabled: true }])
    expect(boolean.resolve('flag')).toMatchObject({ value: true, enabled: true, reason: 'STATIC' })
    const disabled = createFlagSet([{ key: 'flag', is_enabled: false }])
    expect(disabled.resolve('flag')).toMatchObject({ value: false, enabled: false, reason: 'DISABLED' })
    for (const flag_type of ['string', 'integer', 'json']) {
      const bare = { key: 'flag', flag_type }
      expect(createFlagSet([{ ...bare, is_enabled: true }]).resolve('flag').value).toBe(null)
      expect(createFlagSet([{ ...bare, is_enabled: false }]).resolve('flag').value).toBe(null)
    }
  })

  test('missing and null fields are equal', () => {
    const nulls = {
      rollout_percentage: null,
      rules: null,
      variants: null,
      prerequisites: null,
      default_value: null,
      disabled_value: null,
      flag_type: null,
      archived_at: null,
    }
    expect(createFlagSet([{ key: 'flag', is_enabled: true, ...nulls }]).resolve('flag')).toMatchObject({
      value: true,
      enabled: true,
      reason: 'STATIC',
    })
    const rule = { ...aRule(), segment_key: null, variant: null, conditions: null }
    const set = createFlagSet([aStringFlag({ rules: [rule as never] })])
    expect(set.resolve('flag', 'ann', { plan: 'pro' }).value).toBe('on')
  })

  test('fields of later versions are ignored', () => {
    const flag = {
      ...aFlag({ prerequisites: [needs('flag2')] }),
      revision: 7,
      tags: ['a'],
      novelty: { deep: true },
    }
    expect(createFlagSet([flag, { ...aFlag({ key: 'flag2' }), description: 'x' }]).isEnabled('flag')).toBe(
      true,
    )
  })
})

describe('evaluation never throws', () => {
  const hostile = (): never => {
    throw new Error('hostile')
  }
  const hostileProxy = new Proxy(
    {},
    { get: hostile, has: hostile, ownKeys: hostile, getOwnPropertyDescriptor: hostile },
  )
  const revoked = Proxy.revocable([], {})
  revoked.revoke()

  test('evaluation does not throw when reading the attributes does', () => {
    const set = createFlagSet([
      aFlag({ rules: [aRule()] }),
      aFlag({ key: 'needing', prerequisites: [needs('flag')] }),
      aFlag({ key: 'plain' }),
    ])
    const throwing = Object.defineProperty({}, 'plan', { get: hostile, enumerable: true })
    const elements = Object.defineProperty(['a'], 0, { get: hostile })
    for (const attributes of [
      hostileProxy,
      throwing,
      { plan: elements },
      { plan: revoked.proxy },
      revoked.proxy,
    ]) {
      for (const key of ['flag', 'needing']) {
        expect(set.resolve(key, 'ann', attributes as Attributes)).toEqual(ERROR)
        expect(set.evaluate(key, { userKey: 'ann', attributes: attributes as Attributes })).toEqual(ERROR)
        expect(set.isEnabled(key, 'ann', attributes as Attributes)).toBe(false)
      }
      expect(set.isEnabled('plain', 'ann', attributes as Attributes)).toBe(true)
    }
    expect(set.evaluate('flag', hostileProxy as never)).toEqual(ERROR)
    expect(set.resolve('needing', 'ann', { plan: 'pro' }).enabled).toBe(true)
  })

  test('evaluation does not throw when attributes evaluate flags of the same set while they are read', () => {
    const set = createFlagSet([
      aFlag({ prerequisites: [needs('base'), needs('other')] }),
      aFlag({ key: 'base', rollout_percentage: 0, rules: [aRule()], prerequisites: [needs('other')] }),
      aFlag({ key: 'other', rollout_percentage: 0, rules: [aRule()] }),
    ])
    const nested: boolean[] = []
    const attributes = {
      get plan() {
        nested.push(
          set.isEnabled('flag', 'ben', { plan: 'free' }),
          set.isEnabled('flag', 'ben', { plan: 'pro' }),
        )
        return 'pro'
      },
    }
    expect(set.isEnabled('flag', 'ann', attributes)).toBe(true)
    expect(nested).toEqual(nested.map((_, index) => index % 2 === 1))
  })

  test('evaluation does not throw for a hostile flag', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const throwingField = Object.defineProperty(aFlag(), 'rules', { get: hostile })
    for (const flag of [throwingField, aFlag({ flag_type: 'json', default_value: cyclic as never })]) {
      const set = createFlagSet([flag])
      expect(set.resolve('flag')).toEqual(ERROR)
    }
    expect(createFlagSet([hostileProxy, revoked.proxy]).size).toBe(0)
  })

  test('evaluation does not throw for arbitrary flags, keys and attributes', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
    })
    const field = fc.oneof(anything, fc.constantFrom(null, undefined, true, 0, 100, 'string', 'json', []))
    const almostRule = fc.record(
      {
        attribute: fc.constantFrom('a', 'b', 7),
        operator: fc.constantFrom('equals', 'not_equals', 'less_than', 'x'),
        values: fc.oneof(anything, fc.array(fc.string())),
        conditions: field,
        variant: field,
      },
      { requiredKeys: [] },
    )
    const almostFlag = fc.record(
      {
        key: fc.constantFrom('a', 'b', 'c', 7),
        is_enabled: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, field),
        rollout_percentage: field,
        flag_type: fc.constantFrom('boolean', 'string', 'integer', 'json', 'x', undefined),
        default_value: field,
        disabled_value: field,
        rules: fc.oneof(field, fc.array(fc.oneof(almostRule, anything))),
        variants: fc.oneof(
          field,
          fc.array(fc.record({ weight: fc.oneof(fc.nat(), anything), value: field })),
        ),
        prerequisites: fc.oneof(
          field,
          fc.array(fc.record({ flag_key: fc.constantFrom('a', 'b', 'c', 7), required_value: field })),
        ),
        archived_at: fc.constantFrom(null, undefined, undefined, 'x'),
      },
      { requiredKeys: ['key'] },
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(almostFlag, anything), { maxLength: 5 }),
        anything,
        fc.oneof(anything, fc.dictionary(fc.constantFrom('a', 'b'), anything)),
        (flags, userKey, attributes) => {
          const set = createFlagSet(flags)
          for (const key of ['a', 'b', 'c', 'd', userKey as string]) {
            const result = set.resolve(key, userKey as string, attributes as Attributes)
            expect(REASONS).toContain(result.reason)
            expect(
              set.evaluate(key, { userKey: userKey as string, attributes: attributes as Attributes }),
            ).toBe(result)
            expect(typeof set.isEnabled(key, userKey as string, attributes as Attributes)).toBe('boolean')
            set.evaluate(key, attributes as object)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
