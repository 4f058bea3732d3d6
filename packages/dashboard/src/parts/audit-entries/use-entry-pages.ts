import { AUDIT_LIMIT_DEFAULT, type AuditEntry } from '@burgee/contract'
import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { Page } from '../../shared/api/call.ts'

/** Entries of an audit log, newest first, page after page. */
export type EntryPages<E extends AuditEntry> = UseInfiniteQueryResult<E[], Error>

type ReadPage<E> = (
  page: { readonly limit: number; readonly cursor?: string },
  signal: AbortSignal,
) => Promise<Page<E[]>>

/** Reads the entries of a log page after page. */
export function useEntryPages<E extends AuditEntry>(
  queryKey: QueryKey,
  read: ReadPage<E>,
  limit: number = AUDIT_LIMIT_DEFAULT,
): EntryPages<E> {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) => read({ limit, ...(cursor !== '' && { cursor }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }: Page<E[]>) => next,
    placeholderData: keepPreviousData,
    select: ({ pages }: InfiniteData<Page<E[]>>) => pages.flatMap(({ items }) => items),
  })
}
