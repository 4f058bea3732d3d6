import { expect, test } from 'vitest'
import {
  changedToday,
  runningExperiments,
  scheduledNext,
  waitingForMe,
} from '../../../src/features/overview/pick-items.ts'

const environment = { id: 'e', name: 'Production' } as never
const inProduction = (items: readonly object[]) => items.map((item) => ({ environment, item })) as never

test('the oldest of the changes that wait comes first', () => {
  const requests = inProduction([
    { id: 1, requested_by: 'Ada@example.com', created_at: '2026-01-01T00:00:00Z' },
    { id: 2, requested_by: 'bo@example.com', created_at: '2026-01-03T00:00:00Z' },
    { id: 3, requested_by: 'bo@example.com', created_at: '2026-01-02T00:00:00Z' },
  ])

  expect(waitingForMe(requests).map(({ item }) => item.id)).toEqual([1, 3, 2])
})

test('the flags that changed since midnight of the reader are listed once each, newest first', () => {
  const at = (hour: number, minute: number) => new Date(2026, 2, 28, hour, minute).toISOString()
  const changes = inProduction([
    { id: 1, flag_key: 'early', created_at: at(0, 1) },
    { id: 2, flag_key: 'yesterday', created_at: new Date(2026, 2, 27, 23, 59).toISOString() },
    { id: 3, flag_key: '', created_at: at(9, 0) },
    { id: 4, flag_key: 'late', created_at: at(10, 0) },
    { id: 5, flag_key: 'late', created_at: at(9, 30) },
    { id: 6, flag_key: 'planned', action: 'schedule', created_at: at(11, 0) },
  ])

  const today = changedToday(changes, new Date(2026, 2, 28, 12))
  expect(today.map(({ item }) => item.flag_key)).toEqual(['late', 'early'])
})

test('only running experiments and changes that still wait are listed, the next change first', () => {
  const experiments = inProduction([
    { key: 'a', status: 'running' },
    { key: 'b', status: 'completed' },
  ])
  const schedules = inProduction([
    { id: 'done', scheduled_at: '2026-01-01T00:00:00Z', executed_at: '2026-01-01T00:00:00Z' },
    { id: 'later', scheduled_at: '2026-03-01T00:00:00Z', executed_at: null },
    { id: 'next', scheduled_at: '2026-02-01T00:00:00Z', executed_at: null },
  ])

  expect(runningExperiments(experiments).map(({ item }) => item.key)).toEqual(['a'])
  expect(scheduledNext(schedules).map(({ item }) => item.id)).toEqual(['next', 'later'])
})
