import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/api/api-error.ts'

const STALE_AFTER_MS = 15_000
const RETRIES = 2

/** Responses stay fresh for a while, since the stream reports changes of flags at once. */
export function createAppQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The state of the internet reveals nothing of a server of one's own: a request is sent in any case.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: STALE_AFTER_MS,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** Asking again helps where the server could not be reached or was busy, and nowhere else. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503)
