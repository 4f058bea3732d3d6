import type { AuditEntry } from '@burgee/contract'
import { Text } from '@mantine/core'
import { describeEntry, describeEntryAction, originOf } from '../../parts/audit-entries/describe-entry.ts'
import { type EntryPages, useEntryPages } from '../../parts/audit-entries/use-entry-pages.ts'
import { hasStatus } from '../../shared/api/api-error.ts'
import { callPage } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Row, RowList } from '../../shared/ui/row-list.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { ShowMore } from '../../shared/ui/show-more.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { Time } from '../../shared/ui/time.tsx'

const ENTRIES_A_PAGE = 20

/** The changes of a flag in all environments, the latest first; nothing for those who may not read them. */
export function FlagTimeline({ flag_key }: { readonly flag_key: string }) {
  const { project_id } = useScope()
  const entries = useEntryPages(
    [...endpointKey('listProjectAudit'), 'pages', project_id, 'flag', flag_key],
    (page, signal) =>
      callPage('listProjectAudit', { params: { project_id }, query: { flag_key, ...page } }, { signal }),
    ENTRIES_A_PAGE,
  )
  if (hasStatus(entries.error, 403)) return null
  return (
    <Section title="History" description="The changes in all environments, the latest first">
      {entries.data ? (
        <>
          <RowList label="Changes">
            {entries.data.map((entry) => (
              <TimelineRow key={entry.id} entry={entry} />
            ))}
          </RowList>
          <OlderEntries entries={entries} />
        </>
      ) : entries.error ? (
        <Failure
          error={entries.error}
          title="The changes could not be loaded"
          onRetry={() => void entries.refetch()}
        />
      ) : (
        <SkeletonRows rows={4} height={48} />
      )}
    </Section>
  )
}

function OlderEntries({ entries }: { readonly entries: EntryPages<AuditEntry> }) {
  if (entries.isFetchNextPageError)
    return (
      <Failure
        title="Older changes could not be loaded"
        error={entries.error}
        onRetry={() => void entries.fetchNextPage()}
      />
    )
  return <ShowMore noun="changes" pages={entries} />
}

function TimelineRow({ entry }: { readonly entry: AuditEntry }) {
  const { environments, project_id } = useScope()
  const { actor_email, created_at, environment_id, flag_key } = entry
  const environment = environments.find(({ id }) => id === environment_id)
  const origin = originOf(entry)
  const summary = describeEntry(entry)
  return (
    <Row
      icon={environment && <EnvironmentDot color={environment.color} />}
      title={`${actor_email} ${describeEntryAction(entry)} it${environment ? ` in ${environment.name}` : ''}`}
      subtitle={
        <>
          <Time at={created_at} inherit span />
          {origin !== null && ` · ${origin}`}
          {summary !== '' && ` · ${summary}`}
        </>
      }
      actions={
        environment && (
          <Text size="sm">
            <AnchorLink
              inherit
              to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
              params={{ project_id, environment_id: environment.id, flag_key }}
              search={{ tab: 'history' }}
              aria-label={`Open the history in ${environment.name}`}
            >
              Open
            </AnchorLink>
          </Text>
        )
      }
    />
  )
}
