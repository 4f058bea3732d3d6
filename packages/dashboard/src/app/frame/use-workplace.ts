import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { endpointQuery } from '../../shared/api/queries.ts'
import type { Scope } from '../../shared/scope/use-scope.ts'
import { recallPlace } from '../last-location.ts'

/** The place that the frame shows around a page. */
export interface Workplace extends Scope {
  /** True if the page itself is one of that environment's. */
  readonly isOnEnvironment: boolean
}

/**
 * The project and environment of the address. On pages that name none, or one that does not exist, those of
 * the last visit.
 */
export function useWorkplace(): Workplace {
  const addressed = useParams({ strict: false })
  const last = recallPlace()
  const projects = useQuery(endpointQuery('listProjects', {})).data
  const byId = (wanted: string | undefined) => projects?.find(({ id }) => id === wanted)
  const project = byId(addressed.project_id) ?? byId(last.project_id) ?? projects?.[0]
  // Until the projects are known the address is believed.
  const project_id = project?.id ?? addressed.project_id ?? ''
  const { data: environments = [] } = useQuery({
    ...endpointQuery('listEnvironments', { params: { project_id } }),
    enabled: project_id !== '',
  })
  const environment =
    environments.find(({ id }) => id === addressed.environment_id) ??
    environments.find(({ id }) => id === last.environment_id) ??
    environments.find(({ is_default }) => is_default) ??
    environments[0]
  return {
    project_id,
    environment_id: environment?.id ?? addressed.environment_id ?? '',
    project,
    environment,
    environments,
    isOnEnvironment: environment !== undefined && environment.id === addressed.environment_id,
  }
}
