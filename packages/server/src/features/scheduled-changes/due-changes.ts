import type { DueChange, DueSelection } from './execution-queries.ts'

/** The pure part of the scheduler: which due changes it reads, and which of them run one after another. */

/** The number of due changes that are read at a time. */
const DUE_LIMIT = 200
/** The limit for each environment, so that a long backlog of one does not delay the others. */
const DUE_PER_ENVIRONMENT = 20

/** Returns which due changes are read next, except those of the skipped environments. */
export const selectDue = (now: Date, skipped: Iterable<string>): DueSelection => ({
  now: now.toISOString(),
  limit: DUE_LIMIT,
  perEnvironment: DUE_PER_ENVIRONMENT,
  except: [...skipped],
})

/**
 * Groups the changes by environment, each group in the order of time; the environment with the earliest
 * change comes first.
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
