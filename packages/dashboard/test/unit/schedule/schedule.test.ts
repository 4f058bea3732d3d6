import type { ScheduledChange } from '@burgee/contract'
import { expect, test } from 'vitest'
import { fromLocalText, toLocalText, usualMoments } from '../../../src/features/flags/schedule/local-time.ts'
import { groupByDay } from '../../../src/features/scheduled-changes/group-by-day.ts'
import { addMonths, weeksOf } from '../../../src/features/scheduled-changes/month-days.ts'
import { describePatch } from '../../../src/parts/schedule/describe-patch.ts'
import { flagAt } from '../../../src/parts/schedule/flag-at.ts'
import { schedulePoll, scheduleState } from '../../../src/parts/schedule/schedule-state.ts'
import { aFlag } from '../a-flag.ts'

const change = (scheduled_at: string, fields: Partial<ScheduledChange> = {}): ScheduledChange => ({
  id: scheduled_at,
  environment_id: 'production',
  flag_key: 'a-flag',
  scheduled_at,
  patch: {},
  scheduled_by: 'ada@example.com',
  executed_at: null,
  comment: null,
  error: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...fields,
})

test('a patch is described in short phrases', () => {
  expect(
    describePatch({
      is_enabled: true,
      rollout_percentage: null,
      tags: ['a', 'b'],
      rules: [{ segment_key: 'x' }],
      variants: [],
      description: null,
      default_value: 'green',
      archived_at: '2026-01-01T00:00:00Z',
    }),
  ).toEqual([
    'switch on',
    'rollout to 100%',
    'tags: a, b',
    '1 rule',
    'no variants',
    'no description',
    'default value to "green"',
    'archive',
  ])
})

test('a scheduled change is told against the flag as those before it will leave it', () => {
  const flag = aFlag({ rollout_percentage: 10 })
  const first = change('2026-02-01T09:00:00Z', { patch: { rollout_percentage: 50 } })
  const second = change('2026-02-02T09:00:00Z', { patch: { rollout_percentage: 100 } })
  const ran = change('2026-01-31T09:00:00Z', {
    patch: { is_enabled: true },
    executed_at: '2026-01-31T09:00:00Z',
  })
  const ofAnother = change('2026-02-01T08:00:00Z', { flag_key: 'other', patch: { is_enabled: true } })
  const all = [second, first, ran, ofAnother]
  expect(flagAt(flag, first, all)).toEqual(flag)
  expect(flagAt(flag, second, all).rollout_percentage).toBe(50)
})

test('a list with a change that is due soon is read again soon', () => {
  const now = Date.parse('2026-02-01T09:00:00Z')
  const soon = change('2026-02-01T09:00:02Z')
  expect(schedulePoll([soon], now)).toBe(1_000)
  expect(schedulePoll([{ ...soon, executed_at: '2026-02-01T09:00:02Z' }], now)).toBe(15_000)
  expect(schedulePoll(undefined, now)).toBe(15_000)
})

test('a change that ran with an error has failed', () => {
  expect(scheduleState(change('2026-02-01T09:00:00Z'))).toBe('waiting')
  const ran = { executed_at: '2026-02-01T09:00:00Z' }
  expect(scheduleState(change('2026-02-01T09:00:00Z', ran))).toBe('done')
  expect(scheduleState(change('2026-02-01T09:00:00Z', { ...ran, error: 'it no longer fits' }))).toBe('failed')
})

test('a month is shown in whole weeks that begin on Monday', () => {
  const weeks = weeksOf('2026-02')
  expect(weeks.map((days) => days.length)).toEqual([7, 7, 7, 7, 7])
  expect([weeks[0]?.[0], weeks[0]?.[6], weeks.at(-1)?.[6]]).toEqual([
    '2026-01-26',
    '2026-02-01',
    '2026-03-01',
  ])
  expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
})

test('changes stand under their day in the order of their time', () => {
  const late = change(new Date(2026, 1, 3, 22).toISOString())
  const early = change(new Date(2026, 1, 3, 1).toISOString())
  expect([...groupByDay([late, early])]).toEqual([['2026-02-03', [early, late]]])
})

test('a local time is written and read without a shift, and the usual moments lie ahead', () => {
  const friday = new Date(2026, 0, 2, 15, 30)
  expect(fromLocalText(toLocalText(friday))).toEqual(friday)
  expect(fromLocalText('nonsense')).toBeNull()
  expect(usualMoments(friday).map(({ moment }) => toLocalText(moment))).toEqual([
    '2026-01-02 16:30:00',
    '2026-01-03 09:00:00',
    '2026-01-05 09:00:00',
  ])
})
