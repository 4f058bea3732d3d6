import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'

const POLL_MS = 2_000
const AFTER_FAILURE_MS = 10_000

/** The number of SDKs that are connected to an environment, read again and again while the page is open. */
export const useConnections = (env_id: string) =>
  useQuery({
    ...endpointQuery('getConnections', { params: { env_id } }),
    enabled: env_id !== '',
    refetchInterval: ({ state }) => (state.error ? AFTER_FAILURE_MS : POLL_MS),
    staleTime: 0,
  })
