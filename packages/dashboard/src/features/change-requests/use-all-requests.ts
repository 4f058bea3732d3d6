import type { PlacedChangeRequest } from '@burgee/contract'
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { callPage, type Page } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'

const POLL_MS = 15_000
const PAGE_SIZE = 50

const QUERIES = {
  waiting: { waiting_for_me: true },
  mine: { mine: true },
  open: { status: 'pending' },
} as const

export type ShownRequests = keyof typeof QUERIES

export const toShown = (text: string): ShownRequests =>
  text === 'mine' || text === 'open' ? text : 'waiting'

/** The requests of all projects, the newest first, page after page, read again at intervals. */
export function useAllRequests(shown: ShownRequests) {
  const query = { ...QUERIES[shown], limit: PAGE_SIZE }
  return useInfiniteQuery({
    // Below the endpoint's own key, so that a refresh of it reaches this too.
    queryKey: [...endpointKey('listAllChangeRequests'), 'pages', shown],
    queryFn: ({ pageParam: cursor, signal }) =>
      callPage(
        'listAllChangeRequests',
        { query: { ...query, ...(cursor !== '' && { cursor }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: RequestPage) => next,
    placeholderData: (previous, last) =>
      last?.queryKey.at(-1) === shown ? keepPreviousData(previous) : undefined,
    select: allRequests,
    refetchInterval: POLL_MS,
  })
}

type RequestPage = Page<PlacedChangeRequest[]>

const allRequests = ({ pages }: InfiniteData<RequestPage>): PlacedChangeRequest[] =>
  pages.flatMap(({ items }) => items)
