import type {
  AuditEntry,
  Environment,
  Experiment,
  PlacedChangeRequest,
  ScheduledChange,
} from '@burgee/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'

/** Environments that the overview reads: three requests each. */
const ENVIRONMENTS_READ = 8
/** The interval at which an open overview is read again. */
const REFRESH_MS = 30_000

/** The newest requests of all environments that the reader may approve. */
const WAITING = { waiting_for_me: true, limit: 100 }

/** Something of one of the project's environments. */
export interface InEnvironment<T> {
  readonly environment: Environment
  readonly item: T
}

export interface Overview {
  readonly requests: readonly InEnvironment<PlacedChangeRequest>[]
  readonly changes: readonly InEnvironment<AuditEntry>[]
  readonly experiments: readonly InEnvironment<Experiment>[]
  readonly schedules: readonly InEnvironment<ScheduledChange>[]
  readonly isPending: boolean
  readonly error: unknown
}

/** The current activity of a project, over its environments. */
export function useOverview(project_id: string, all: readonly Environment[]): Overview {
  const environments = all.slice(0, ENVIRONMENTS_READ)
  const refetchInterval = REFRESH_MS
  const requests = useQuery({
    ...endpointQuery('listAllChangeRequests', { query: { ...WAITING, project_id } }),
    refetchInterval,
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
  const queries = [requests, ...changes, ...experiments, ...schedules]
  return {
    requests: inTheirEnvironments(all, requests.data ?? []),
    changes: joined(environments, changes),
    experiments: joined(environments, experiments),
    schedules: joined(environments, schedules),
    isPending: queries.some(({ isPending }) => isPending),
    error: queries.find(({ error }) => error)?.error ?? null,
  }
}

/** Requests of an environment that was created since the project was read are left out. */
const inTheirEnvironments = (
  environments: readonly Environment[],
  requests: readonly PlacedChangeRequest[],
): InEnvironment<PlacedChangeRequest>[] =>
  requests.flatMap((item) => {
    const environment = environments.find(({ id }) => id === item.environment.id)
    return environment ? [{ environment, item }] : []
  })

const joined = <T>(
  environments: readonly Environment[],
  lists: readonly { readonly data: readonly T[] | undefined }[],
): InEnvironment<T>[] =>
  environments.flatMap((environment, at) => (lists[at]?.data ?? []).map((item) => ({ environment, item })))
