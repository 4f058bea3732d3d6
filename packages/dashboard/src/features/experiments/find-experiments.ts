import type { Experiment } from '@burgee/contract'

interface ExperimentFilter {
  readonly q: string
  /** `all` or one status. */
  readonly status: string
}

const ORDER: Readonly<Record<Experiment['status'], number>> = { running: 0, paused: 1, completed: 2 }

/** Those that match, the running ones first, then the youngest. */
export function findExperiments(
  experiments: readonly Experiment[],
  { q, status }: ExperimentFilter,
): Experiment[] {
  const wanted = q.trim().toLowerCase()
  return experiments
    .filter((experiment) => status === 'all' || experiment.status === status)
    .filter(({ name, key, flag_key, goal_event_key }) =>
      [name, key, flag_key, goal_event_key].some((text) => text.toLowerCase().includes(wanted)),
    )
    .sort(
      (one, other) =>
        ORDER[one.status] - ORDER[other.status] || Date.parse(other.created_at) - Date.parse(one.created_at),
    )
}
