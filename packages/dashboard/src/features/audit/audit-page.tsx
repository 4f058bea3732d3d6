import type { AuditEntry } from '@burgee/contract'
import { Button } from '@mantine/core'
import { urlOf } from '../../shared/api/call.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { type AuditQuery, NO_FILTER, readEntryId, toAuditQuery } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditList } from './audit-list.tsx'
import type { EntryPlace } from './entry-place.ts'
import { ExportButton } from './export-button.tsx'
import { NoSuchEntry } from './no-such-entry.tsx'
import { useProjectAudit } from './use-audit-pages.ts'
import { VerificationLine } from './verification-line.tsx'

const ADDRESS = { ...NO_FILTER, scope: 'environment', entry: '' }

/** The audit log: each change with its author, its time and the way by which it came. */
export function AuditPage() {
  const { environment_id, project, project_id } = useScope()
  const permission = usePermissions()('listProjectAudit')
  const [address, setState] = useUrlState(ADDRESS)
  // A person who may read only one environment's log filters by flag alone. The other filters of the address
  // do not count.
  const state = permission.isAllowed
    ? address
    : { ...ADDRESS, flag_key: address.flag_key, entry: address.entry }
  const entry = readEntryId(state.entry)
  const chain = state.scope === 'project' ? null : environment_id
  const query = entry === null ? toAuditQuery(state, chain, Date.now()) : { id: entry }
  return (
    <Page
      title="Audit log"
      description="Every write, with the values before and after. Entries are never changed or deleted."
      actions={
        entry === null && (
          <ExportButton
            url={urlOf('listProjectAudit', { params: { project_id }, query })}
            fileName={`audit-${project?.slug ?? 'log'}.ndjson`}
            permission={permission}
          />
        )
      }
    >
      {permission.isAllowed && <ProjectVerification chain={chain} />}
      {entry === null ? (
        <AuditFilters state={state} onChange={setState} permission={permission} />
      ) : (
        <Button variant="default" mb="md" onClick={() => setState({ entry: '' })}>
          Show all entries
        </Button>
      )}
      <ProjectEntries
        // While filters change the last entries stay; those of another environment never do.
        key={`${environment_id} ${entry}`}
        query={query}
        only={entry}
        isProjectAdmin={permission.isAllowed}
        onReset={() => setState(ADDRESS)}
      />
    </Page>
  )
}

interface ProjectEntriesProps {
  readonly query: AuditQuery
  /** The id of the only entry; null for the whole log. */
  readonly only: number | null
  readonly isProjectAdmin: boolean
  readonly onReset: () => void
}

function ProjectEntries({ query, only, isProjectAdmin, onReset }: ProjectEntriesProps) {
  const { environment_id, environments, project_id } = useScope()
  const pages = useProjectAudit({ project_id, environment_id, isProjectAdmin, query })
  const hasPlaces = isProjectAdmin && query.environment_id === undefined
  const placeOf = (entry: AuditEntry): EntryPlace => {
    const environment = environments.find(({ id }) => id === entry.environment_id)
    const name = entry.environment_id === null ? 'Project' : (environment?.name ?? 'A deleted environment')
    return {
      label: hasPlaces ? name : null,
      color: environment?.color,
      environment: environment ? { project_id, environment_id: environment.id } : null,
    }
  }
  if (only !== null && pages.data?.length === 0) return <NoSuchEntry id={only} />
  return (
    <AuditList
      pages={pages}
      placeOf={placeOf}
      onReset={onReset}
      isSingle={only !== null}
      detailOf={({ id }) => <ProjectEntryLink id={id}>Link to this entry</ProjectEntryLink>}
    />
  )
}

function ProjectVerification({ chain }: { readonly chain: string | null }) {
  const { environments, project_id } = useScope()
  const nameOf = (id: string) =>
    environments.find((environment) => environment.id === id)?.name ?? 'A deleted environment'
  return (
    <VerificationLine
      chains={{ project_id, chain }}
      nameOf={nameOf}
      linkOf={(id, text) => <ProjectEntryLink id={id}>{text}</ProjectEntryLink>}
    />
  )
}

function ProjectEntryLink({ id, children }: { readonly id: number; readonly children: string }) {
  const { environment_id, project_id } = useScope()
  return (
    <AnchorLink
      size="xs"
      to="/projects/$project_id/environments/$environment_id/audit"
      params={{ project_id, environment_id }}
      search={{ entry: String(id) }}
    >
      {children}
    </AnchorLink>
  )
}
