import type { QueryClient } from '@tanstack/react-query'
import { endpointQuery } from '../shared/api/queries.ts'

/**
 * Asks for what the frame and the list of flags will need while it is still being found out who is there and their code is on its way. What
 * fails is read again, and its failure shown, by the page that needs it.
 */
export function prefetch(client: QueryClient, pathname: string): void {
  const [, project_id, env_id, page] =
    /^\/projects\/([^/]+)(?:\/environments\/([^/]+)\/([^/]+))?/.exec(pathname) ?? []
  void client.prefetchQuery(endpointQuery('listProjects', {}))
  if (project_id === undefined) return
  void client.prefetchQuery(endpointQuery('listEnvironments', { params: { project_id } }))
  void client.prefetchQuery(endpointQuery('listMembers', { params: { project_id } }))
  if (env_id === undefined || page !== 'flags') return
  void client.prefetchQuery(endpointQuery('listFlags', { params: { env_id } }))
}
