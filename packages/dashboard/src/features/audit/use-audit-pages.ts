import type { AuditEntry, PlacedAuditEntry } from '@burgee/contract'
import { type EntryPages, useEntryPages } from '../../parts/audit-entries/use-entry-pages.ts'
import { callPage } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import type { AuditQuery, WorkspaceAuditQuery } from './audit-filter.ts'

interface AuditSource {
  readonly project_id: string
  readonly environment_id: string
  /** True if the person may read the whole project's log. The environment's own log has one filter only. */
  readonly isProjectAdmin: boolean
  readonly query: AuditQuery
}

/** The entries of a project or environment that match, newest first, page after page. */
export function useProjectAudit(source: AuditSource): EntryPages<AuditEntry> {
  const { environment_id, isProjectAdmin, project_id, query } = source
  const name = isProjectAdmin ? 'listProjectAudit' : 'listEnvironmentAudit'
  // Below the endpoint's own key, so that a refresh of it reaches this too.
  const key = [...endpointKey(name), 'pages', project_id, environment_id, query]
  return useEntryPages(key, (page, signal) =>
    isProjectAdmin
      ? callPage('listProjectAudit', { params: { project_id }, query: { ...query, ...page } }, { signal })
      : callPage(
          'listEnvironmentAudit',
          {
            params: { env_id: environment_id },
            query: {
              ...(query.flag_key !== undefined && { flag_key: query.flag_key }),
              ...(query.id !== undefined && { id: query.id }),
              ...page,
            },
          },
          { signal },
        ),
  )
}

/** The entries of the workspace that match, newest first, page after page. */
export function useWorkspaceAudit(query: WorkspaceAuditQuery): EntryPages<PlacedAuditEntry> {
  const key = [...endpointKey('listWorkspaceAudit'), 'pages', query]
  return useEntryPages(key, (page, signal) =>
    // A query may set a limit of its own.
    callPage('listWorkspaceAudit', { query: { ...page, ...query } }, { signal }),
  )
}
