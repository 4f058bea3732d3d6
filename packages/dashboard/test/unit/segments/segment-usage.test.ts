import type { Flag, Segment, TargetingRule } from '@burgee/contract'
import { expect, test } from 'vitest'
import { countFlagsBySegment } from '../../../src/features/segments/count-flags-by-segment.ts'
import { findSegmentUsage } from '../../../src/features/segments/segment-usage.ts'
import { aFlag } from '../a-flag.ts'

const names = (segment_key: string): TargetingRule => ({ segment_key })
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
const flagWith = (key: string, rules: TargetingRule[], archived_at: string | null = null): Flag =>
  aFlag({ key, rules, archived_at })

const segments = [aSegment('staff', names('beta')), aSegment('beta', names('staff')), aSegment('lonely')]
const flags = [
  flagWith('direct', [names('staff')]),
  flagWith('through', [names('beta')]),
  flagWith('archived', [names('staff')], '2026-01-01T00:00:00.000Z'),
  flagWith('other', []),
]

test('a segment is used by flags that name it, by flags through other segments, and by segments', () => {
  const usage = findSegmentUsage('staff', flags, segments)

  expect(usage.flags.map(({ key }) => key)).toEqual(['direct', 'archived'])
  expect(usage.indirectFlags.map(({ key }) => key)).toEqual(['through'])
  expect(usage.segments.map(({ key }) => key)).toEqual(['beta'])
  // Archived flags are not sent to anyone.
  expect(usage.resentCount).toBe(2)
})

test('the list counts flags the same way, circles included', () => {
  expect(Object.fromEntries(countFlagsBySegment(flags, segments))).toEqual({ staff: 3, beta: 3 })
})
