import { expect, test } from 'vitest'
import { describeDeletion, toQuery } from '../../../src/features/impressions/deleting/report-subject.ts'

test('a deletion is worded by what it has done so far', () => {
  expect(describeDeletion({ reports: 1_530, complete: true })).toBe('1,530 reports deleted.')
  expect(describeDeletion({ reports: 1, complete: true })).toBe('1 report deleted.')
  expect(describeDeletion({ reports: 0, complete: true })).toBe('There were no reports to delete.')
  expect(describeDeletion({ reports: 9, complete: false })).toContain('are being deleted')
})

test('the subject of a deletion is the one parameter of its query', () => {
  expect(toQuery({ kind: 'user_id', name: '' })).toEqual({ user_id: '' })
  expect(toQuery({ kind: 'flag_key', name: '(other)' })).toEqual({ flag_key: '(other)' })
})
