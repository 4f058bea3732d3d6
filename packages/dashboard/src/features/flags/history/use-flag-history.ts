import type { FlagHistoryEntry } from '@burgee/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/call.ts'
import { endpointKey } from '../../../shared/api/queries.ts'

const PAGE_SIZE = 30

/** An entry beside the one that it changed; undefined where that is not known: beyond what the server keeps. */
export interface HistoryStep {
  readonly entry: FlagHistoryEntry
  readonly before: FlagHistoryEntry | undefined
}

/** A flag's history page by page, newest first, each entry with the one before it. */
export function useFlagHistory(env_id: string, key: string) {
  const params = { env_id, key }
  const query = useInfiniteQuery({
    queryKey: [...endpointKey('getFlagHistory', { params }), 'pages'],
    // One more than is shown, to tell the last entry's change and whether there is another page.
    queryFn: ({ pageParam: offset, signal }) =>
      call('getFlagHistory', { params, query: { limit: PAGE_SIZE + 1, offset } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length > PAGE_SIZE ? pages.length * PAGE_SIZE : undefined),
  })
  const entries = query.data?.pages.flatMap((page) => page.slice(0, PAGE_SIZE)) ?? []
  const beyond = query.data?.pages.at(-1)?.[PAGE_SIZE]
  const steps = entries.map((entry, index): HistoryStep => ({ entry, before: entries[index + 1] ?? beyond }))
  return { ...query, steps }
}
