import type { ChangeRequest, Experiment, Flag, ScheduledChange } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { dependentFlags } from './dependent-flags.ts'

/** The things that break, or are deleted, together with a flag. */
export interface Dependents {
  readonly flags: readonly Flag[]
  readonly experiments: readonly Experiment[]
  readonly scheduled_changes: readonly ScheduledChange[]
  readonly change_requests: readonly ChangeRequest[]
}

interface DependentsState {
  /** Undefined until all of it is known. */
  readonly dependents: Dependents | undefined
  readonly error: unknown
}

/** Searches the whole environment again on each call. */
export function useDependents(env_id: string, key: string): DependentsState {
  const params = { env_id }
  const flags = useQuery({ ...endpointQuery('listFlags', { params }), staleTime: 0 })
  const experiments = useQuery({ ...endpointQuery('listExperiments', { params }), staleTime: 0 })
  const scheduled = useQuery({
    ...endpointQuery('listFlagScheduledChanges', { params: { env_id, key } }),
    staleTime: 0,
  })
  const requests = useQuery({
    ...endpointQuery('listChangeRequests', { params, query: { status: 'pending' } }),
    staleTime: 0,
  })
  const error = flags.error ?? experiments.error ?? scheduled.error ?? requests.error
  if (!flags.data || !experiments.data || !scheduled.data || !requests.data) {
    return { dependents: undefined, error }
  }
  return {
    error,
    dependents: {
      flags: dependentFlags(flags.data, [key]),
      experiments: experiments.data.filter(({ flag_key }) => flag_key === key),
      scheduled_changes: scheduled.data.filter(({ executed_at }) => executed_at === null),
      change_requests: requests.data.filter(({ flag_key }) => flag_key === key),
    },
  }
}
