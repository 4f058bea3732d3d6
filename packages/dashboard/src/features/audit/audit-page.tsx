import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Page } from '../../shared/ui/page.tsx'
import { toAuditQuery } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditList } from './audit-list.tsx'
import { ExportButton } from './export-button.tsx'

const ADDRESS = { flag_key: '', actor: '', action: '', when: '', from: '', to: '', scope: 'environment' }

/** The audit log: each change with its author, its time and the way by which it came. */
export function AuditPage() {
  const { environment_id } = useScope()
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
      actions={<ExportButton query={query} />}
    >
      <AuditFilters state={state} onChange={setState} permission={permission} />
      <AuditList
        // While filters change the last entries stay; those of another environment never do.
        key={environment_id}
        query={query}
        isProjectAdmin={permission.isAllowed}
        onReset={() => setState(ADDRESS)}
      />
    </Page>
  )
}
