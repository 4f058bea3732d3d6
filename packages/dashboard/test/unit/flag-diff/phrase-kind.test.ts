import { describeFlagChange, type Flag } from '@burgee/contract'
import { expect, test } from 'vitest'
import { changedRule } from '../../../src/parts/flag-diff/changed-rule.ts'
import { phraseKind } from '../../../src/parts/flag-diff/phrase-kind.ts'
import { aFlag } from '../a-flag.ts'

const kinds = (before: Partial<Flag> | null, after: Partial<Flag> | null) =>
  describeFlagChange(before && aFlag(before), after && aFlag(after)).map(phraseKind)

const NORWAY = { attribute: 'country', operator: 'equals', values: ['NO'] } as const
const PRO = { attribute: 'plan', operator: 'equals', values: ['pro'] } as const

test('a phrase of a change has the kind of what it tells', () => {
  expect(kinds({ is_enabled: false }, { is_enabled: true })).toEqual(['on'])
  expect(kinds({ is_enabled: true }, { is_enabled: false })).toEqual(['off'])
  expect(kinds({}, { rollout_percentage: 10 })).toEqual(['changed'])
  expect(kinds({}, { rules: [{ ...NORWAY, values: ['NO'] }] })).toEqual(['added'])
  expect(kinds({ rules: [{ ...NORWAY, values: ['NO'] }] }, {})).toEqual(['removed'])
  expect(kinds({ tags: ['a'] }, { tags: ['b'] })).toEqual(['removed', 'added'])
  expect(kinds({ tags: ['a', 'b'] }, { tags: ['b', 'a'] })).toEqual(['moved'])
  expect(kinds({}, { archived_at: '2026-01-01T00:00:00.000Z' })).toEqual(['removed'])
  expect(kinds({}, null)).toEqual(['removed'])
  expect(kinds(null, { is_enabled: true, rules: [{ ...NORWAY, values: ['NO'] }] })).toEqual([
    'added',
    'on',
    'added',
  ])
})

test('what people wrote does not decide the kind of a phrase', () => {
  expect(kinds({}, { description: 'tag nothing added' })).toEqual(['changed'])
  expect(kinds({}, { owner_email: 'switched on' })).toEqual(['changed'])
})

test('a rule that was added or removed is found by its phrase', () => {
  const one = aFlag({ rules: [{ ...NORWAY, values: ['NO'] }] })
  const two = aFlag({
    rules: [
      { ...NORWAY, values: ['NO'] },
      { ...PRO, values: ['pro'] },
    ],
  })
  const [added = ''] = describeFlagChange(one, two)
  const [removed = ''] = describeFlagChange(two, one)
  expect(changedRule(added, { before: one, after: two })?.rule).toEqual(two.rules[1])
  expect(changedRule(removed, { before: two, after: one })?.rule).toEqual(two.rules[1])
  expect(changedRule('rollout 1% -> 2%', { before: one, after: two })).toBeUndefined()
})
