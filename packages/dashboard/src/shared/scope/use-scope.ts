import type { Environment, Project } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { endpointQuery } from '../api/queries.ts'

/** The project and environment that the address names, as soon as they are known. */
export interface Scope {
  /** Empty on pages of no project. */
  readonly project_id: string
  /** Empty on pages of no environment. */
  readonly environment_id: string
  readonly project: Project | undefined
  readonly environment: Environment | undefined
  readonly environments: readonly Environment[]
}

export function useScope(): Scope {
  const { project_id = '', environment_id = '' } = useParams({ strict: false })
  const projects = useQuery(endpointQuery('listProjects', {}))
  const environments = useQuery({
    ...endpointQuery('listEnvironments', { params: { project_id } }),
    enabled: project_id !== '',
  })
  return {
    project_id,
    environment_id,
    project: projects.data?.find(({ id }) => id === project_id),
    environment: environments.data?.find(({ id }) => id === environment_id),
    environments: environments.data ?? [],
  }
}
