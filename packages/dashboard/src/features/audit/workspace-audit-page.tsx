import type { PlacedAuditEntry } from '@burgee/contract'
import { Button } from '@mantine/core'
import { credentialKey } from '../../parts/audit-entries/describe-entry.ts'
import { urlOf } from '../../shared/api/call.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { AdminsOnly } from '../../shared/ui/admins-only.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Page } from '../../shared/ui/page.tsx'
import {
  NO_WORKSPACE_FILTER,
  readEntryId,
  toWorkspaceQuery,
  type WorkspaceAuditQuery,
} from './audit-filter.ts'
import { AuditList } from './audit-list.tsx'
import { ExportButton } from './export-button.tsx'
import { NoSuchEntry } from './no-such-entry.tsx'
import { useWorkspaceAudit } from './use-audit-pages.ts'
import { type AuditedProject, useAuditedProjects, useAuditPlaces, useChainNames } from './use-audit-places.ts'
import { VerificationLine } from './verification-line.tsx'
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
  const entry = readEntryId(state.entry)
  const query = entry === null ? toWorkspaceQuery(state, Date.now()) : { id: entry }
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
      <WorkspaceVerification projects={projects} />
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

interface EntriesProps {
  readonly query: WorkspaceAuditQuery
  /** The id of the only entry; null for the whole log. */
  readonly only: number | null
  readonly onReset: () => void
}

function Entries({ query, only, onReset }: EntriesProps) {
  const pages = useWorkspaceAudit(query)
  const placeOf = useAuditPlaces(useAuditedProjects(), pages.data ?? [])
  if (only !== null && pages.data?.length === 0) return <NoSuchEntry id={only} />
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

function WorkspaceVerification({ projects }: { readonly projects: readonly AuditedProject[] }) {
  const placeOf = useChainNames(projects)
  return (
    <VerificationLine
      chains={{ project_id: null, chain: null }}
      nameOf={placeOf}
      linkOf={(id, text) => (
        <AnchorLink size="xs" to="/workspace/audit" search={{ entry: String(id) }}>
          {text}
        </AnchorLink>
      )}
    />
  )
}

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
