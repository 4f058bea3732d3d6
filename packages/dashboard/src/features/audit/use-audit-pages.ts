import { AUDIT_LIMIT_DEFAULT, type AuditEntry } from '@burgee/contract'
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import type { AuditQuery } from './audit-filter.ts'

interface AuditSource {
  readonly project_id: string
  readonly environment_id: string
  /** Whether the whole project's log may be asked; the environment's own knows one filter only. */
  readonly is_project_admin: boolean
  readonly query: AuditQuery
}

/** The entries that match, newest first, page after page. */
export function useAuditPages({ project_id, environment_id, is_project_admin, query }: AuditSource) {
  const name = is_project_admin ? 'listProjectAudit' : 'listEnvironmentAudit'
  const read = (page: { limit: number; offset: number }, signal: AbortSignal): Promise<AuditEntry[]> =>
    is_project_admin
      ? call('listProjectAudit', { params: { project_id }, query: { ...query, ...page } }, { signal })
      : call(
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
    queryFn: ({ pageParam, signal }) => read({ limit: AUDIT_LIMIT_DEFAULT, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last: AuditEntry[], pages) =>
      last.length < AUDIT_LIMIT_DEFAULT ? undefined : pages.length * AUDIT_LIMIT_DEFAULT,
    placeholderData: keepPreviousData,
    select: distinctEntries,
  })
}

/** An entry that came meanwhile moves the others: what stands on two pages is shown once. */
function distinctEntries({ pages }: InfiniteData<AuditEntry[]>): AuditEntry[] {
  return [...new Map(pages.flat().map((entry) => [entry.id, entry])).values()]
}
