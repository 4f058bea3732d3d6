import type { DueChange, DueSelection } from './queries.ts'

/** The pure part of the scheduler: which due changes it reads, and which of them run one after another. */

/** Due changes that are read at a time. */
const DUE_LIMIT = 200
/** A long backlog of one environment does not hold up the others. */
const DUE_PER_ENVIRONMENT = 20

/** The next due changes, except for those of the skipped environments. */
export const selectDue = (now: Date, skipped: Iterable<string>): DueSelection => ({
  now: now.toISOString(),
  limit: DUE_LIMIT,
  perEnvironment: DUE_PER_ENVIRONMENT,
  except: [...skipped],
})

/**
 * The changes of each environment in the order of their time; the environment with the earliest change first.
 */
export function groupByEnvironment(due: readonly DueChange[]): DueChange[][] {
  const groups = new Map<string, DueChange[]>()
  for (const change of due) {
    const group = groups.get(change.environment_id)
    if (group) group.push(change)
    else groups.set(change.environment_id, [change])
  }
  return [...groups.values()]
}
