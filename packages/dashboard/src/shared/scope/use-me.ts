import type { CurrentUser } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../api/queries.ts'

/** The person who is signed in; undefined until that is known. */
export function useMe(): CurrentUser | undefined {
  return useQuery(endpointQuery('getCurrentUser', {})).data
}
