import type { ScheduledChange } from '@burgee/contract'

export type ScheduleState = 'waiting' | 'done' | 'failed'

export function scheduleState({ error, executed_at }: ScheduledChange): ScheduleState {
  if (executed_at === null) return 'waiting'
  return error === null ? 'done' : 'failed'
}

const SOON_MS = 20_000
const SOON_POLL_MS = 1_000
const POLL_MS = 15_000

/**
 * The time until the list is read again, in milliseconds: short where a change is due, so that it is seen to
 * run.
 */
export function schedulePoll(changes: readonly ScheduledChange[] | undefined, now: number): number {
  const isDue = changes?.some(
    ({ error, executed_at, scheduled_at }) =>
      executed_at === null && error === null && Date.parse(scheduled_at) - now < SOON_MS,
  )
  return isDue ? SOON_POLL_MS : POLL_MS
}
