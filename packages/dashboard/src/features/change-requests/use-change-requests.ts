import { CHANGE_REQUEST_STATUSES, type ChangeRequest } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'

const POLL_MS = 15_000

export type StatusTab = ChangeRequest['status'] | 'all'

export const toStatusTab = (text: string): StatusTab =>
  CHANGE_REQUEST_STATUSES.find((status) => status === text) ?? 'all'

/**
 * The requests of a tab, read again at intervals. Those of another tab or environment are never shown in
 * their place.
 */
export function useChangeRequests(env_id: string, tab: StatusTab) {
  return useQuery({
    ...endpointQuery('listChangeRequests', {
      params: { env_id },
      query: { preview: true, ...(tab !== 'all' && { status: tab }) },
    }),
    refetchInterval: POLL_MS,
  })
}

/**
 * The request that the address names, in any tab. A request that is decided leaves its tab and stays open.
 */
export function useOpenRequest(env_id: string, id: string, listed: readonly ChangeRequest[] | undefined) {
  const inList = listed?.find((request) => String(request.id) === id)
  const all = useQuery({
    ...endpointQuery('listChangeRequests', { params: { env_id }, query: { preview: true } }),
    enabled: id !== '' && listed !== undefined && !inList,
  })
  const request = inList ?? all.data?.find((each) => String(each.id) === id)
  return { request, isMissing: id !== '' && !request && all.isSuccess, error: all.error }
}
