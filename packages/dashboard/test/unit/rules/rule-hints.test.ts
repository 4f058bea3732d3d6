import type { TargetingRule } from '@burgee/contract'
import { expect, test } from 'vitest'
import { hintsOf, isIncomplete } from '../../../src/parts/rules/rule-hints.ts'

const hints = (...rules: TargetingRule[]) => hintsOf(rules, rules.length - 1, ['beta'])

const country: TargetingRule = { attribute: 'country', operator: 'equals', values: ['NO'] }

test('a rule that can match has no hint', () => {
  expect(hints(country)).toEqual([])
  expect(hints({ segment_key: 'beta' })).toEqual([])
})

test('a rule without values, without an attribute or of an unknown segment matches no user', () => {
  expect(hints({ ...country, values: [] })).toEqual(['Incomplete: without a value it matches no users.'])
  expect(hints({ ...country, attribute: '' })).toEqual(['Incomplete: name the attribute to test.'])
  expect(hints({ segment_key: 'gone' })[0]).toContain('no segment “gone”')
})

test('a value that is no number never matches a numeric operator', () => {
  expect(hints({ attribute: 'age', operator: 'less_than', values: ['18', ' 1e3 '] })).toEqual([])
  expect(hints({ attribute: 'age', operator: 'less_than', values: ['0x10'] })[0]).toContain('is no number')
})

test('not_equals with several values holds for everyone', () => {
  expect(hints({ ...country, operator: 'not_equals', values: ['NO', 'SE'] })[0]).toContain(
    'holds for everyone',
  )
})

test('a rule behind the same test is never reached, regardless of what it serves', () => {
  expect(hints(country, { ...country, variant: 'x' })[0]).toContain('Rule 1 matches the same users first')
  expect(
    hints(country, { ...country, conditions: [{ attribute: 'plan', operator: 'equals', values: ['pro'] }] }),
  ).toEqual([])
})

test('a rule is incomplete while an attribute, a value or its segment is missing', () => {
  expect(isIncomplete(country)).toBe(false)
  expect(isIncomplete({ segment_key: 'beta' })).toBe(false)
  expect(isIncomplete({ ...country, attribute: ' ' })).toBe(true)
  expect(isIncomplete({ ...country, values: [] })).toBe(true)
  expect(isIncomplete({ segment_key: '' })).toBe(true)
  expect(isIncomplete({ segment_key: 'beta', conditions: [{ ...country, values: [] } as never] })).toBe(true)
})
