import type { Segment, TargetingRule } from '@burgee/contract'
import { expect, test } from 'vitest'
import { findRuleOrigins } from '../../../src/features/evaluate/rule-origins.ts'

const aTest: TargetingRule = { attribute: 'plan', operator: 'equals', values: ['pro'] }
const aSegment = (key: string, ...rules: TargetingRule[]): Segment => ({
  id: key,
  environment_id: 'e',
  name: key,
  key,
  description: null,
  rules,
  revision: 1,
  created_at: '2026-01-01T00:00:00.000Z',
})

test('each expanded rule leads back to the rule that people see, and the segments on the way', () => {
  const segments = [aSegment('beta', { segment_key: 'staff' }, aTest), aSegment('staff', aTest, aTest)]

  expect(findRuleOrigins([aTest, { segment_key: 'beta' }, aTest], segments)).toEqual([
    { rule_index: 0, segmentKeys: [] },
    { rule_index: 1, segmentKeys: ['beta', 'staff'] },
    { rule_index: 1, segmentKeys: ['beta', 'staff'] },
    { rule_index: 1, segmentKeys: ['beta'] },
    { rule_index: 2, segmentKeys: [] },
  ])
})

test('an unknown segment and a circle expand to no rule', () => {
  const segments = [aSegment('a', { segment_key: 'b' }), aSegment('b', { segment_key: 'a' }, aTest)]
  expect(findRuleOrigins([{ segment_key: 'missing' }, { segment_key: 'a' }], segments)).toEqual([
    { rule_index: 1, segmentKeys: ['a', 'b'] },
  ])
})
