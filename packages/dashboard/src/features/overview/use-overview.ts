import type { AuditEntry, ChangeRequest, Environment, Experiment, ScheduledChange } from '@burgee/contract'
import { useQueries } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'

/** Environments that the overview reads: five requests each. */
const ENVIRONMENTS_READ = 8
/** The interval at which an open overview is read again. */
const REFRESH_MS = 30_000

/** The newest requests of an environment that the reader may approve. */
const WAITING = { waiting_for_me: true, limit: 100 }

/** Something of one of the project's environments. */
export interface InEnvironment<T> {
  readonly environment: Environment
  readonly item: T
}

export interface Overview {
  readonly requests: readonly InEnvironment<ChangeRequest>[]
  readonly changes: readonly InEnvironment<AuditEntry>[]
  readonly experiments: readonly InEnvironment<Experiment>[]
  readonly schedules: readonly InEnvironment<ScheduledChange>[]
  readonly isPending: boolean
  readonly error: unknown
}

/** The current activity of a project, over its environments. */
export function useOverview(all: readonly Environment[]): Overview {
  const environments = all.slice(0, ENVIRONMENTS_READ)
  const refetchInterval = REFRESH_MS
  const requests = useQueries({
    queries: environments.map(({ id }) => ({
      ...endpointQuery('listChangeRequests', { params: { env_id: id }, query: WAITING }),
      refetchInterval,
    })),
  })
  const changes = useQueries({
    queries: environments.map(({ id }) => ({
      ...endpointQuery('listEnvironmentAudit', { params: { env_id: id } }),
      refetchInterval,
    })),
  })
  const experiments = useQueries({
    queries: environments.map(({ id }) => endpointQuery('listExperiments', { params: { env_id: id } })),
  })
  const schedules = useQueries({
    queries: environments.map(({ id }) => ({
      ...endpointQuery('listScheduledChanges', { params: { env_id: id } }),
      refetchInterval,
    })),
  })
  const queries = [...requests, ...changes, ...experiments, ...schedules]
  return {
    requests: joined(environments, requests),
    changes: joined(environments, changes),
    experiments: joined(environments, experiments),
    schedules: joined(environments, schedules),
    isPending: queries.some(({ isPending }) => isPending),
    error: queries.find(({ error }) => error)?.error ?? null,
  }
}

const joined = <T>(
  environments: readonly Environment[],
  lists: readonly { readonly data: readonly T[] | undefined }[],
): InEnvironment<T>[] =>
  environments.flatMap((environment, at) => (lists[at]?.data ?? []).map((item) => ({ environment, item })))
