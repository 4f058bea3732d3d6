import { describe, expect, test } from 'vitest'
import { createFlagSet } from '../../src/index.ts'
import { aFlag, aRule, aStringFlag } from './builders.ts'

describe('a set of flags', () => {
  test('a flag set contains the flags as they were given', () => {
    const first = { ...aFlag({ key: 'first' }), description: 'kept' }
    const set = createFlagSet(new Set([first, aFlag({ key: 'second' })]))
    expect(set.size).toBe(2)
    expect([...set.keys()]).toEqual(['first', 'second'])
    expect(set.has('first')).toBe(true)
    expect(set.has('third')).toBe(false)
    expect(set.get('first')).toBe(first)
    expect(set.get('third')).toBe(undefined)
  })

  test('a new flag set is empty', () => {
    const set = createFlagSet()
    expect(set.size).toBe(0)
    expect(set.resolve('flag').reason).toBe('FLAG_NOT_FOUND')
  })

  test('upsert replaces the flag with the same key', () => {
    const set = createFlagSet([aStringFlag(), aStringFlag({ default_value: 'later' })])
    expect(set.size).toBe(1)
    expect(set.resolve('flag').value).toBe('later')
  })

  test('remove deletes a flag', () => {
    const set = createFlagSet([aFlag(), aFlag({ key: 'other' })])
    set.remove('flag')
    set.remove('never there')
    expect([...set.keys()]).toEqual(['other'])
    expect(set.has('flag')).toBe(false)
    expect(set.resolve('flag').reason).toBe('FLAG_NOT_FOUND')
  })

  test('a flag set does not list keys that are only referenced', () => {
    const set = createFlagSet([aFlag({ prerequisites: [{ flag_key: 'absent' }] })])
    expect([...set.keys()]).toEqual(['flag'])
    expect(set.has('absent')).toBe(false)
    expect(set.get('absent')).toBe(undefined)
    expect(set.resolve('absent').reason).toBe('FLAG_NOT_FOUND')
  })

  test('an archived flag is evaluated as unknown, and normally once it is restored', () => {
    const set = createFlagSet([aFlag({ archived_at: '2030-01-01T00:00:00Z' })])
    expect(set.resolve('flag')).toEqual({ value: null, enabled: false, reason: 'FLAG_NOT_FOUND' })
    expect(set.isEnabled('flag')).toBe(false)
    set.upsert(aFlag({ archived_at: null }))
    expect(set.isEnabled('flag')).toBe(true)
  })

  test('keys such as __proto__ and constructor are ordinary', () => {
    const set = createFlagSet([aFlag({ key: '__proto__' })])
    expect(set.isEnabled('__proto__')).toBe(true)
    expect(set.isEnabled('constructor')).toBe(false)
  })

  test('evaluate and resolve give the same results', () => {
    const set = createFlagSet([aFlag({ rollout_percentage: 0, rules: [aRule()] })])
    const attributes = { plan: 'pro' }
    expect(set.evaluate('flag', { userKey: 'ann', attributes })).toBe(set.resolve('flag', 'ann', attributes))
    expect(set.evaluate('flag', { attributes })).toBe(set.resolve('flag', null, attributes))
    expect(set.evaluate('flag', { userKey: 'ann' })).toBe(set.resolve('flag', 'ann'))
    expect(set.evaluate('flag')).toBe(set.resolve('flag'))
    expect(set.evaluate('flag', { userKey: null, attributes: null })).toBe(set.resolve('flag', null, null))
  })

  test('a number as user key counts as its text, anything else as no key', () => {
    const set = createFlagSet([aFlag({ rollout_percentage: 50 })])
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
      expect(set.isEnabled('flag', number as never)).toBe(set.isEnabled('flag', String(number)))
    }
    for (const odd of [{}, [], true, Symbol('x'), () => 'x'])
      expect(set.isEnabled('flag', odd as never)).toBe(false)
  })

  test('flag sets are independent of each other', () => {
    const [one, two] = [createFlagSet([aFlag()]), createFlagSet([aFlag({ is_enabled: false })])]
    expect([one.isEnabled('flag'), two.isEnabled('flag')]).toEqual([true, false])
  })
})
