import { AUDIT_LIMIT_DEFAULT, type AuditEntry } from '@burgee/contract'
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { callPage, type Page } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import type { AuditQuery } from './audit-filter.ts'

interface AuditSource {
  readonly project_id: string
  readonly environment_id: string
  /** True if the person may read the whole project's log. The environment's own log has one filter only. */
  readonly isProjectAdmin: boolean
  readonly query: AuditQuery
}

/** The entries that match, newest first, page after page. */
export function useAuditPages({ project_id, environment_id, isProjectAdmin, query }: AuditSource) {
  const name = isProjectAdmin ? 'listProjectAudit' : 'listEnvironmentAudit'
  const read = (page: { limit: number; cursor?: string }, signal: AbortSignal): Promise<AuditPage> =>
    isProjectAdmin
      ? callPage('listProjectAudit', { params: { project_id }, query: { ...query, ...page } }, { signal })
      : callPage(
          'listEnvironmentAudit',
          {
            params: { env_id: environment_id },
            query: { ...(query.flag_key !== undefined && { flag_key: query.flag_key }), ...page },
          },
          { signal },
        )
  return useInfiniteQuery({
    // Below the endpoint's own key, so that a refresh of it reaches this too.
    queryKey: [...endpointKey(name), 'pages', project_id, environment_id, query],
    queryFn: ({ pageParam: cursor, signal }) =>
      read({ limit: AUDIT_LIMIT_DEFAULT, ...(cursor !== '' && { cursor }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }: AuditPage) => next,
    placeholderData: keepPreviousData,
    select: allEntries,
  })
}

type AuditPage = Page<AuditEntry[]>

const allEntries = ({ pages }: InfiniteData<AuditPage>): AuditEntry[] => pages.flatMap(({ items }) => items)
