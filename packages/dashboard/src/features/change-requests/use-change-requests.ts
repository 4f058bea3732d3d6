import { CHANGE_REQUEST_STATUSES, type ChangeRequest } from '@burgee/contract'
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { hasStatus } from '../../shared/api/api-error.ts'
import { callPage, type Page } from '../../shared/api/call.ts'
import { endpointKey, endpointQuery } from '../../shared/api/queries.ts'

const POLL_MS = 15_000
const PAGE_SIZE = 50

export type StatusTab = ChangeRequest['status'] | 'all'
export type Whose = 'all' | 'waiting' | 'mine'

export const toStatusTab = (text: string): StatusTab =>
  CHANGE_REQUEST_STATUSES.find((status) => status === text) ?? 'all'

export const toWhose = (text: string): Whose => (text === 'waiting' || text === 'mine' ? text : 'all')

/** The filters of the list, as the address has them. */
export interface RequestFilters {
  readonly tab: StatusTab
  readonly whose: Whose
  /** Part of a flag key, of a requester or of a comment. */
  readonly q: string
}

/**
 * The requests that fit the filters, page after page, read again at intervals. Those of another tab or
 * environment are never shown in their place; those of another search are until its own are there.
 */
export function useChangeRequests(env_id: string, { tab, whose, q }: RequestFilters) {
  const query = {
    preview: true,
    limit: PAGE_SIZE,
    ...(tab !== 'all' && { status: tab }),
    ...(whose === 'mine' && { mine: true }),
    ...(whose === 'waiting' && { waiting_for_me: true }),
    ...(q !== '' && { q }),
  }
  const place = [...endpointKey('listChangeRequests'), 'pages', env_id, tab]
  return useInfiniteQuery({
    // Below the endpoint's own key, so that a refresh of it reaches this too.
    queryKey: [...place, query],
    queryFn: ({ pageParam: cursor, signal }) =>
      callPage(
        'listChangeRequests',
        { params: { env_id }, query: { ...query, ...(cursor !== '' && { cursor }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: RequestPage) => next,
    placeholderData: (previous, last) =>
      place.every((part, at) => last?.queryKey[at] === part) ? keepPreviousData(previous) : undefined,
    select: allRequests,
    refetchInterval: POLL_MS,
  })
}

type RequestPage = Page<ChangeRequest[]>

const allRequests = ({ pages }: InfiniteData<RequestPage>): ChangeRequest[] =>
  pages.flatMap(({ items }) => items)

/**
 * The request that the address names, in any tab. A request that is decided leaves its tab and stays open.
 */
export function useOpenRequest(env_id: string, id: string, listed: readonly ChangeRequest[] | undefined) {
  const inList = listed?.find((request) => String(request.id) === id)
  const isNumber = /^[1-9]\d{0,9}$/.test(id)
  const single = useQuery({
    ...endpointQuery('getChangeRequest', { params: { env_id, id: Number(id) } }),
    enabled: isNumber && listed !== undefined && !inList,
    retry: false,
  })
  const request = inList ?? (isNumber ? single.data : undefined)
  const isUnknown = !isNumber || hasStatus(single.error, 404) || hasStatus(single.error, 422)
  return {
    request,
    isMissing: id !== '' && !request && isUnknown,
    error: isUnknown ? null : single.error,
  }
}
