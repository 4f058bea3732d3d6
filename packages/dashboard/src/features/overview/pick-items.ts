import type { AuditEntry, Experiment, PlacedChangeRequest, ScheduledChange } from '@burgee/contract'
import type { InEnvironment } from './use-overview.ts'

/** The requests that a person may approve, of all environments, oldest first. */
export const waitingForMe = (
  requests: readonly InEnvironment<PlacedChangeRequest>[],
): InEnvironment<PlacedChangeRequest>[] =>
  [...requests].sort((a, b) => compareTimes(a.item.created_at, b.item.created_at))

/** Actions that request or plan a change: the flag is still as it was. */
const LEAVES_AS_IS: ReadonlySet<string> = new Set([
  'schedule',
  'unschedule',
  'change_request.open',
  'change_request.reject',
  'change_request.cancel',
] satisfies AuditEntry['action'][])

/** The flags that changed since midnight, each once with its newest change, newest first. */
export function changedToday(
  changes: readonly InEnvironment<AuditEntry>[],
  now: Date,
): InEnvironment<AuditEntry>[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const seen = new Set<string>()
  return changes
    .filter(({ item }) => item.flag_key !== '' && Date.parse(item.created_at) >= midnight)
    .filter(({ item }) => !LEAVES_AS_IS.has(item.action))
    .sort((a, b) => compareTimes(b.item.created_at, a.item.created_at))
    .filter(({ environment, item }) => {
      const name = `${environment.id} ${item.flag_key}`
      return !seen.has(name) && seen.add(name)
    })
}

export const runningExperiments = (experiments: readonly InEnvironment<Experiment>[]) =>
  experiments.filter(({ item }) => item.status === 'running')

/** The scheduled changes that still wait, the next one first. */
export const scheduledNext = (schedules: readonly InEnvironment<ScheduledChange>[]) =>
  schedules
    .filter(({ item }) => item.executed_at === null)
    .sort((a, b) => compareTimes(a.item.scheduled_at, b.item.scheduled_at))

const compareTimes = (one: string, other: string): number => Date.parse(one) - Date.parse(other)
