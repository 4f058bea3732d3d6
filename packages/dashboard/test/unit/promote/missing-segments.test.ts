import type { Segment } from '@burgee/contract'
import { expect, test } from 'vitest'
import { missingSegments } from '../../../src/parts/promote/missing-segments.ts'

const segment = (key: string, ...named: string[]): Segment => ({
  id: key,
  environment_id: 'staging',
  name: key,
  key,
  description: null,
  rules: named.map((segment_key) => ({ segment_key })),
  revision: 1,
  created_at: '2026-01-01T00:00:00.000Z',
})

test('promoting names the segments that the target lacks, however deep they are named', () => {
  const source = [segment('staff', 'beta'), segment('beta', 'country'), segment('country'), segment('other')]
  const missing = missingSegments([{ segment_key: 'staff' }], { source, target: [segment('beta')] })
  expect(missing).toEqual(['country', 'staff'])
})

test('segments in a circle, and unknown ones, end the search', () => {
  const source = [segment('a', 'b'), segment('b', 'a', 'gone')]
  expect(missingSegments([{ segment_key: 'a' }, { segment_key: 'gone' }], { source, target: [] })).toEqual([
    'a',
    'b',
  ])
})
