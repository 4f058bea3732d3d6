import type { AuditEntry } from '@burgee/contract'
import { urlOf } from '../../shared/api/call.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Page } from '../../shared/ui/page.tsx'
import { type AuditQuery, NO_FILTER, toAuditQuery } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditList } from './audit-list.tsx'
import type { EntryPlace } from './entry-place.ts'
import { ExportButton } from './export-button.tsx'
import { useProjectAudit } from './use-audit-pages.ts'

const ADDRESS = { ...NO_FILTER, scope: 'environment' }

/** The audit log: each change with its author, its time and the way by which it came. */
export function AuditPage() {
  const { environment_id, project, project_id } = useScope()
  const permission = usePermissions()('listProjectAudit')
  const [address, setState] = useUrlState(ADDRESS)
  // A person who may read only one environment's log filters by flag alone. The other filters of the address
  // do not count.
  const state = permission.isAllowed ? address : { ...ADDRESS, flag_key: address.flag_key }
  const query = toAuditQuery(state, state.scope === 'project' ? null : environment_id, Date.now())
  return (
    <Page
      title="Audit log"
      description="Every write with what was and what is. Entries are never changed or deleted."
      actions={
        <ExportButton
          url={urlOf('listProjectAudit', { params: { project_id }, query })}
          fileName={`audit-${project?.slug ?? 'log'}.ndjson`}
          permission={permission}
        />
      }
    >
      <AuditFilters state={state} onChange={setState} permission={permission} />
      <ProjectEntries
        // While filters change the last entries stay; those of another environment never do.
        key={environment_id}
        query={query}
        isProjectAdmin={permission.isAllowed}
        onReset={() => setState(ADDRESS)}
      />
    </Page>
  )
}

interface ProjectEntriesProps {
  readonly query: AuditQuery
  readonly isProjectAdmin: boolean
  readonly onReset: () => void
}

function ProjectEntries({ query, isProjectAdmin, onReset }: ProjectEntriesProps) {
  const { environment_id, environments, project_id } = useScope()
  const pages = useProjectAudit({ project_id, environment_id, isProjectAdmin, query })
  const hasPlaces = query.environment_id === undefined
  const placeOf = (entry: AuditEntry): EntryPlace => {
    const environment = environments.find(({ id }) => id === entry.environment_id)
    const name = entry.environment_id === null ? 'Project' : (environment?.name ?? 'A deleted environment')
    return {
      label: hasPlaces ? name : null,
      color: environment?.color,
      environment: environment ? { project_id, environment_id: environment.id } : null,
    }
  }
  return <AuditList pages={pages} placeOf={placeOf} onReset={onReset} />
}
