import type { PlacedAuditEntry } from '@burgee/contract'
import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { urlOf } from '../../shared/api/call.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { AdminsOnly } from '../../shared/ui/admins-only.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { NO_WORKSPACE_FILTER, toWorkspaceQuery, type WorkspaceAuditQuery } from './audit-filter.ts'
import { AuditList } from './audit-list.tsx'
import { credentialKey } from './describe-entry.ts'
import { ExportButton } from './export-button.tsx'
import { useWorkspaceAudit } from './use-audit-pages.ts'
import { useAuditedProjects, useAuditPlaces } from './use-audit-places.ts'
import { WorkspaceFilters } from './workspace-filters.tsx'

const ADDRESS = { ...NO_WORKSPACE_FILTER, entry: '' }

/** The log of the whole workspace, deleted projects included: for workspace admins. */
export function WorkspaceAuditPage() {
  return (
    <AdminsOnly
      reads="listWorkspaceAudit"
      title="The audit log of the workspace is for its admins"
      about="Here workspace admins read every write of all projects, people and settings."
    >
      <WorkspaceLog />
    </AdminsOnly>
  )
}

function WorkspaceLog() {
  const [state, setState] = useUrlState(ADDRESS)
  const projects = useAuditedProjects()
  const entry = /^[1-9]\d{0,14}$/.test(state.entry) ? Number(state.entry) : null
  const query = entry === null ? toWorkspaceQuery(state, Date.now()) : onlyEntry(entry)
  return (
    <Page
      title="Audit log of the workspace"
      description="Every write of all projects, people and settings. Deleted projects are included."
      actions={
        entry === null && (
          <ExportButton
            url={urlOf('listWorkspaceAudit', { query })}
            fileName="audit-workspace.ndjson"
            permission={{ isAllowed: true }}
          />
        )
      }
    >
      {entry === null ? (
        <WorkspaceFilters state={state} projects={projects} onChange={setState} />
      ) : (
        <Button variant="default" mb="md" onClick={() => setState({ entry: '' })}>
          Show all entries
        </Button>
      )}
      <Entries key={entry} query={query} only={entry} onReset={() => setState(ADDRESS)} />
    </Page>
  )
}

/** The entry that follows the one before it. */
const onlyEntry = (id: number): WorkspaceAuditQuery => ({ since_id: id - 1, limit: 1 })

interface EntriesProps {
  readonly query: WorkspaceAuditQuery
  /** The id of the only entry; null for the whole log. */
  readonly only: number | null
  readonly onReset: () => void
}

function Entries({ query, only, onReset }: EntriesProps) {
  const pages = useWorkspaceAudit(query)
  const placeOf = useAuditPlaces(useAuditedProjects(), pages.data ?? [])
  if (only !== null && pages.data && pages.data[0]?.id !== only) return <NoSuchEntry id={only} />
  return (
    <AuditList
      pages={pages}
      placeOf={placeOf}
      onReset={onReset}
      isSingle={only !== null}
      detailOf={(entry) => <EntryLinks entry={entry} />}
    />
  )
}

const NoSuchEntry = ({ id }: { readonly id: number }) => (
  <EmptyState icon={<IconHistory size={22} />} title={`There is no entry ${id}`}>
    The server may have dropped it, as its setting for old entries says. An entry of this moment appears after
    a second.
  </EmptyState>
)

function EntryLinks({ entry }: { readonly entry: PlacedAuditEntry }) {
  const credential = credentialKey(entry)
  return (
    <>
      {credential !== null && (
        <AnchorLink size="xs" to="/workspace/audit" search={{ credential }}>
          All with this credential
        </AnchorLink>
      )}
      <AnchorLink size="xs" to="/workspace/audit" search={{ entry: String(entry.id) }}>
        Link to this entry
      </AnchorLink>
    </>
  )
}
