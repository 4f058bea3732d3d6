import type { QueryClient } from '@tanstack/react-query'
import { endpointQuery } from '../shared/api/queries.ts'

/**
 * Requests the data of the frame and of the list of flags while the session is still being checked and their
 * code is on its way. The page that needs a failed request's data reads it again, and shows its failure.
 */
export function prefetch(client: QueryClient, pathname: string): void {
  const [, project_id, env_id, page] =
    /^\/projects\/([^/]+)(?:\/environments\/([^/]+)\/([^/]+))?/.exec(pathname) ?? []
  void client.prefetchQuery(endpointQuery('listProjects', {}))
  if (project_id === undefined) return
  void client.prefetchQuery(endpointQuery('listEnvironments', { params: { project_id } }))
  void client.prefetchQuery(endpointQuery('getOwnAccess', { params: { project_id } }))
  if (env_id === undefined || page !== 'flags') return
  void client.prefetchQuery(endpointQuery('listFlags', { params: { env_id } }))
}
