import type { TargetingRule } from '@burgee/contract'
import { expect, test } from 'vitest'
import { collectAttributes } from '../../../src/parts/rules/collect-attributes.ts'

const rule = (attribute: string): TargetingRule => ({ attribute, operator: 'equals', values: [] })

test('attributes come from rules and conditions, the most used first', () => {
  const flags = [{ rules: [rule('plan'), rule('country')] }]
  const segments = [
    { rules: [{ segment_key: 'beta', attribute: 'unread', conditions: [{ ...rule('country') }] }] },
  ] as { rules: TargetingRule[] }[]

  expect(collectAttributes(flags, segments)).toEqual(['country', 'plan'])
})
