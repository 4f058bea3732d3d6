import type { TargetingRule } from '@burgee/contract'
import { expect, it } from 'vitest'
import { findRuleWarnings } from '../../../../src/targeting/rules/find-rule-warnings.ts'
import { createReach } from '../../../../src/targeting/rules/segment-reach.ts'

const naming = (...keys: string[]): TargetingRule[] => keys.map((segment_key) => ({ segment_key }))
const segmentsOf = (all: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(all).map(([key, names]) => [key, { rules: naming(...names) }]))

it('gives what a segment and a rule reach', () => {
  const reach = createReach(segmentsOf({ a: ['b'], b: ['c', 'missing'], c: ['b'], d: [] }))
  expect(reach.ofSegment('a')).toEqual(new Set(['b', 'c', 'missing']))
  expect(reach.ofSegment('c')).toEqual(new Set(['b', 'missing', 'c']))
  expect(reach.ofSegment('d')).toEqual(new Set())
  const conditions = [{ segment_key: 'd', operator: 'in_segment' as const }]
  expect(reach.ofRule({ segment_key: 'a', conditions })).toEqual(new Set(['a', 'b', 'c', 'missing', 'd']))
})

it('reads a segment once, however many rules name it', async () => {
  let reads = 0
  const rules = naming(...Array.from({ length: 3_000 }, () => 'loop'))
  const loop = {
    get rules() {
      reads += 1
      return rules
    },
  }
  const warnings = await findRuleWarnings(rules, new Map([['loop', loop]]))
  expect(warnings.filter(({ code }) => code === 'unknown_segment').length).toBe(3_000)
  // Once for its references, for each kind of warning, and once for its steps.
  expect(reads).toBe(3)
})

it('follows a bounded number of references of segments that all name each other', () => {
  const keys = Array.from({ length: 1_000 }, (_, at) => `segment-${at}`)
  const segments = segmentsOf(Object.fromEntries(keys.map((key) => [key, keys])))
  const reach = createReach(segments)
  const sizes = keys.map((key) => reach.ofSegment(key).size)
  expect(sizes[0]).toBe(1_000)
  expect(sizes.at(-1)).toBe(0)
})
