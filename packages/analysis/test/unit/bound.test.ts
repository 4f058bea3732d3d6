import { createFlagSet } from '@burgee/evaluation'
import { describe, expect, test } from 'vitest'
import { aFlag, aRule } from '../../../evaluation/test/unit/builders.ts'
import { checkImplication, checkValues, constantOf } from '../../src/index.ts'

describe('what an exploration decides holds for large attributes', () => {
  const rule = aRule({ attribute: 'it', operator: 'contains', values: ['a'] })
  const set = createFlagSet([
    aFlag({ rollout_percentage: 0, rules: [{ ...rule, operator: 'not_contains' }] }),
    aFlag({ key: 'other', rollout_percentage: 0, rules: [rule] }),
    aFlag({ key: 'all', rules: [rule] }),
  ])
  const large = { it: 'b'.repeat(4_000_000) }

  test('a proof that a value is not given is not false: an error gives none', () => {
    const { verdict } = checkValues(set, 'all', [], ({ value }) => value !== false)
    expect(verdict).toBe('holds')
    expect(constantOf(set, 'all')).toMatchObject({ given: { value: true } })
    for (const key of ['flag', 'other', 'all'])
      expect(set.resolve(key, 'ann', large)).toMatchObject({ value: null, enabled: false, reason: 'ERROR' })
  })

  test('a complement does not hold beyond the bound, so a counterexample is a user within it', () => {
    const one = { flagKey: 'flag', value: true }
    const checked = checkImplication(set, [], one, { flagKey: 'other', value: true })
    if (checked.verdict !== 'violated') throw new Error(`is ${checked.verdict}`)
    expect(set.evaluate('flag', checked.user)).toMatchObject({ value: true })
    expect(set.evaluate('other', checked.user)).toMatchObject({ value: false })
  })

  test('a user beyond the bound confirms nothing', () => {
    const values = [`x${'y'.repeat(60_000)}`, 'z'.repeat(60_000)]
    const long = createFlagSet([aFlag({ rollout_percentage: 0, rules: [{ ...rule, values }] })])
    const { verdict } = checkValues(long, 'flag', [], ({ value }) => value !== true)
    expect(verdict).toBe('undecided')
  })
})
