import type { FlagHistoryEntry } from '@burgee/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callPage } from '../../../shared/api/call.ts'
import { endpointKey } from '../../../shared/api/queries.ts'

const PAGE_SIZE = 30

/**
 * An entry beside the one that it changed. That one is undefined if it is not known: it is beyond what the
 * server keeps.
 */
export interface HistoryStep {
  readonly entry: FlagHistoryEntry
  readonly before: FlagHistoryEntry | undefined
}

/** A flag's history page by page, newest first, each entry with the one before it. */
export function useFlagHistory(env_id: string, key: string) {
  const params = { env_id, key }
  const query = useInfiniteQuery({
    queryKey: [...endpointKey('getFlagHistory', { params }), 'pages'],
    // One more than is shown, to describe the last entry's change.
    queryFn: ({ pageParam: cursor, signal }) =>
      callPage(
        'getFlagHistory',
        { params, query: { limit: PAGE_SIZE + 1, ...(cursor !== '' && { cursor }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? []
  // The last entry of an unfinished list is left out: its change is known only with the next page.
  const shown = query.hasNextPage && entries.length > 1 ? entries.slice(0, -1) : entries
  const steps = shown.map((entry, index): HistoryStep => ({ entry, before: entries[index + 1] }))
  return { ...query, steps }
}
