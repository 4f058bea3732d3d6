import type { TargetingRule } from '@burgee/contract'
import { expect, it } from 'vitest'
import { expandRules } from '../../../../src/targeting/rules/expand-rules.ts'
import { createExpansionBudget } from '../../../../src/targeting/rules/expand-segments.ts'

const is = (attribute: string, value: string) => ({
  attribute,
  operator: 'equals' as const,
  values: [value],
})
const within = (segment_key: string) => ({ segment_key, operator: 'in_segment' as const })
const segmentsOf = (all: Readonly<Record<string, readonly TargetingRule[]>>) =>
  new Map(Object.entries(all).map(([key, rules]) => [key, { rules: [...rules] }]))

/** A list of values that counts how often it is made to text. */
function countedValues(value: string) {
  const counted = { values: [value], texts: 0 }
  Object.defineProperty(counted.values, 'toJSON', {
    value: () => {
      counted.texts += 1
      return [value]
    },
  })
  return counted
}

it('a condition is made to text a few times, however often segments are combined', () => {
  const long = countedValues('x'.repeat(10_000))
  const segments = segmentsOf({
    long: [{ ...is('a', ''), values: long.values }, is('a', 'other')],
    short: [is('b', '1'), is('b', '2')],
  })
  const conditions = Array.from({ length: 100 }, () => within('short'))
  expect(expandRules([{ segment_key: 'long', conditions }], segments, null)).toHaveLength(4)
  // For its length, for its number, and for that of its negation.
  expect(long.texts).toBeLessThanOrEqual(3)
})

it('the rules of segments that all name each other are read a few times while circles are searched', () => {
  let reads = 0
  const keys = Array.from({ length: 200 }, (_, at) => `segment-${at}`)
  const rules = keys.map((segment_key) => ({ segment_key }))
  const segment = {
    get rules() {
      reads += 1
      return rules
    },
  }
  const segments = new Map(keys.map((key) => [key, segment]))
  const conditions = keys.map(within)
  expect(expandRules([{ ...is('a', '1'), conditions }], segments, null)).toEqual([])
  expect(reads).toBeLessThanOrEqual(2 * keys.length)
})

it('what does not hold for thousands of values is made once for each list', () => {
  const values = Array.from({ length: 9_000 }, (_, at) => `value-${at}`)
  const segments = segmentsOf({ other: [{ attribute: 'a', operator: 'not_equals', values }] })
  const rule = { segment_key: 'other', operator: 'not_in_segment' as const }
  const [expanded] = expandRules([rule], segments, null)
  expect(1 + (expanded?.conditions?.length ?? 0)).toBe(9_000)
})

it('several expansions that share a budget are refused together', () => {
  const segments = segmentsOf({ wide: Array.from({ length: 4_000 }, (_, at) => is('a', `${at}`)) })
  const budget = createExpansionBudget()
  const expand = () =>
    expandRules([{ segment_key: 'wide', conditions: [is('b', '1')] }], segments, null, budget)
  expect(expand()).toHaveLength(4_000)
  const refused = () => {
    for (let nth = 0; nth < 200; nth += 1) expand()
  }
  expect(refused).toThrow(/invalid|too large|problem/i)
})
