import type { Environment } from '@burgee/contract'
import type { QueryClient } from '@tanstack/react-query'
import { findConnectedEnvironment } from '../parts/connect-app/connected-environments.ts'
import { endpointQuery } from '../shared/api/queries.ts'
import { recallPlace } from './last-location.ts'

/**
 * The page that `/` leads to: the flags of the environment that was open last, else of the one that programs
 * are connected to, else of the first project's default one. A project's own address leads to one of its
 * environments in the same way.
 */
export async function findDefaultRoute(client: QueryClient, project_id?: string) {
  const projects = await client.ensureQueryData(endpointQuery('listProjects', {}))
  const last = recallPlace()
  const project = projects.find(({ id }) => id === (project_id ?? last.project_id)) ?? projects[0]
  if (!project) return { to: '/projects' } as const
  const environments = await client.ensureQueryData(
    endpointQuery('listEnvironments', { params: { project_id: project.id } }),
  )
  const environment =
    environments.find(({ id }) => id === last.environment_id) ??
    (await chooseEnvironment(client, environments))
  if (!environment) return { to: '/projects' } as const
  return {
    to: '/projects/$project_id/environments/$environment_id/flags',
    params: { project_id: project.id, environment_id: environment.id },
  } as const
}

/** Someone who signs in for the first time wants to see the flags that programs use. */
async function chooseEnvironment(
  client: QueryClient,
  environments: readonly Environment[],
): Promise<Environment | undefined> {
  const usual = environments.find(({ is_default }) => is_default) ?? environments[0]
  if (environments.length < 2) return usual
  return (await findConnectedEnvironment(client, environments)) ?? usual
}
