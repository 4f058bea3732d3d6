import { createFlagSet, OPERATORS, operatorKind } from '@burgee/evaluation'
import { describe, expect, test } from 'vitest'
import { aFlag, aRule, aStringFlag, needs } from '../../../evaluation/test/unit/builders.ts'
import { constantOf, pairsOf } from '../../src/index.ts'
import { compareExplorations } from './compare-explorations.ts'

const verdictOf = (...flags: unknown[]) => constantOf(createFlagSet(flags), 'flag').verdict
const VALUES: Record<string, string> = {
  number: '5',
  version: '1.2.0',
  time: '2026-01-02T03:04:05Z',
  text: 'pro',
}

test('no random user gets what an exploration excludes', () => {
  const counts = compareExplorations(60, 10)
  expect(counts.constant).toBeGreaterThan(0)
  expect(counts.varies).toBeGreaterThan(0)
  expect(counts.pairs).toBeGreaterThan(counts.open)
})

describe('one value for every user', () => {
  test.each(OPERATORS)('a rule with %s varies, and is constant together with its default', (operator) => {
    const kind = operatorKind(operator)
    const rule = aRule({ operator, values: kind === 'presence' ? [] : [VALUES[kind] ?? 'p'], variant: 'x' })
    const flag = aStringFlag({ rules: [rule], default_value: 'y' })
    expect(verdictOf(flag)).toBe('varies')
    expect(verdictOf({ ...flag, default_value: 'x' })).toBe('constant')
  })

  test('a rule that no user reaches proves nothing else', () => {
    const first = aRule({ attribute: 'age', operator: 'less_than', values: ['5'], variant: 'x' })
    const second = aRule({ attribute: 'age', operator: 'not_less_than', values: ['5'], variant: 'x' })
    expect(verdictOf(aStringFlag({ rules: [first, second], default_value: 'never' }))).toBe('constant')
    const third = { ...second, values: ['6'] }
    expect(verdictOf(aStringFlag({ rules: [first, third], default_value: 'gap' }))).toBe('varies')
  })

  test('prerequisites, rollouts, invalid and missing flags count', () => {
    const flag = aFlag({ prerequisites: [needs('other')] })
    expect(verdictOf(flag)).toBe('constant')
    expect(verdictOf(flag, aFlag({ key: 'other', rollout_percentage: 50 }))).toBe('varies')
    expect(verdictOf(flag, aFlag({ key: 'other', is_enabled: false }))).toBe('constant')
    expect(verdictOf(flag, aFlag({ key: 'other', rules: 'none' as never }))).toBe('constant')
    expect(verdictOf()).toBe('constant')
  })

  test('beyond the limits nothing is claimed', () => {
    const rules = Array.from({ length: 20 }, (_, index) => aRule({ attribute: `a${index}`, variant: 'x' }))
    const set = createFlagSet([aStringFlag({ rules, default_value: 'x' })])
    expect(constantOf(set, 'flag', { paths: 5 }).verdict).toBe('undecided')
    expect(constantOf(set, 'flag').verdict).toBe('constant')
  })
})

describe('pairs before and after a change', () => {
  test('a rollout moves a known key for certain', () => {
    const before = createFlagSet([aFlag({ rollout_percentage: 0 })])
    const after = createFlagSet([aFlag({ rollout_percentage: 100 })])
    const { pairs, why } = pairsOf(before, after, 'flag', 'ann')
    expect(why).toBeUndefined()
    expect(pairs.map((pair) => [pair.before.value, pair.after.value])).toEqual([[false, true]])
  })

  test('an unknown attribute leaves two pairs, each with a user', () => {
    const before = createFlagSet([aStringFlag({ rules: [aRule({ variant: 'x' })] })])
    const after = createFlagSet([aStringFlag({ rules: [aRule({ variant: 'y' })] })])
    const { pairs } = pairsOf(before, after, 'flag', 'ann')
    expect(pairs.map((pair) => [pair.before.value, pair.after.value, pair.user?.userKey]).sort()).toEqual([
      ['on', 'on', 'ann'],
      ['x', 'y', 'ann'],
    ])
  })
})
