import type { IncidentEntry } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  describeDeed,
  describeSummary,
  windowStart,
} from '../../../src/features/incident/describe-incident.ts'
import {
  conflictsOf,
  describeConflict,
  describeGivenBack,
  describeOutcome,
  showValue,
} from '../../../src/parts/undo/describe-conflict.ts'
import { ApiError } from '../../../src/shared/api/api-error.ts'

const entry = (fields: Partial<IncidentEntry>): IncidentEntry => ({
  ...{ audit_id: 7, at: '2026-03-02T08:00:00.000Z', project_id: 'p', environment_id: 'e', revisions: [3] },
  ...{ actor_email: 'ada@example.com', action: 'update', origin: 'direct', flag_keys: ['checkout'] },
  ...{ summary: 'rules', comment: null, undone_by: null, ...fields },
})

test.each([
  [{}, 'changed checkout'],
  [{ action: 'archive' }, 'archived checkout'],
  [{ action: 'change_request.approve' }, 'approved a change of checkout'],
  [{ segment_key: 'beta', flag_keys: ['a', 'b'] }, 'changed the segment beta'],
  [{ flag_keys: ['a', 'b', 'c', 'd', 'e'] }, 'changed a, b, c and 2 more'],
  [{ action: 'some_new.deed' }, 'some new: deed checkout'],
])('an entry states what was done: %o', (fields, text) => {
  expect(describeDeed(entry(fields))).toBe(text)
})

test('a window begins in whole minutes, so that its list is cached', () => {
  const now = Date.parse('2026-03-02T08:30:31.500Z')
  expect(windowStart('15m', now)).toBe('2026-03-02T08:15:00.000Z')
  expect(windowStart('24h', now)).toBe('2026-03-01T08:30:00.000Z')
  expect(windowStart('of another version', now)).toBe('2026-03-02T07:30:00.000Z')
})

test('the fields of an entry have the names of the page', () => {
  expect(describeSummary('is_enabled, rollout_percentage, bucket_by')).toBe(
    'Changed: switch, rollout, bucket by',
  )
  expect(describeSummary('too large to compare')).toBe('Too large to compare')
})

test.each([
  [{ path: '/is_enabled', before: false, after: true }, 'Switched on'],
  [{ path: '/is_enabled', before: true, after: false }, 'Switched off'],
  [{ path: '/rollout_percentage', before: 100, after: 10 }, 'Rollout 100% → 10%'],
  [{ path: '/rollout_percentage', before: 5, after: null }, 'Rollout 5% → everyone'],
  [{ path: '/rules/0/values', before: ['a'], after: ['b'] }, 'Rule 1 values: ["a"] → ["b"]'],
])('a field that is undone: %j', (change, text) => {
  expect(describeGivenBack(change)).toBe(text)
})

test('values are short', () => {
  expect(showValue('B')).toBe('“B”')
  expect(showValue(null)).toBe('null')
  expect(showValue(undefined)).toBe('nothing')
  expect(showValue(['x'.repeat(200)])).toHaveLength(61)
})

test('an undo states what becomes of a flag or a segment', () => {
  expect(describeOutcome('flag', 'update')).toBe('flag is changed')
  expect(describeOutcome('segment', 'delete')).toBe('segment is deleted')
})

test('conflicts state which field was changed again, and by whom', () => {
  const changed_by = { audit_id: 8, actor_email: 'bob@example.com', at: '2026-03-02T08:10:00.000Z' }
  const conflict = {
    audit_id: 7,
    flag_key: 'checkout',
    path: '/rules',
    expected: [],
    actual: [1],
    changed_by,
  }
  const [found] = conflictsOf(new ApiError(409, { error: 'No', conflicts: [conflict] }))
  expect(found && describeConflict(found)).toBe('checkout: rules was changed again by bob@example.com')
  expect(describeConflict({ ...conflict, path: '/rules/0/rollout_percentage', changed_by: null })).toBe(
    'checkout: rule 1 rollout percentage was changed again',
  )
  expect(describeConflict({ ...conflict, path: '', changed_by: null })).toBe('checkout: it was changed again')
  expect(conflictsOf(new Error('offline'))).toEqual([])
})
