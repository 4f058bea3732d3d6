import type { AuditEntry } from '@burgee/contract'
import { Button, Paper, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { EntryPages } from '../../parts/audit-entries/use-entry-pages.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import classes from './audit.module.css'
import { AuditRow } from './audit-row.tsx'
import type { EntryPlace } from './entry-place.ts'

interface AuditListProps<E extends AuditEntry> {
  readonly pages: EntryPages<E>
  readonly placeOf: (entry: E) => EntryPlace
  readonly onReset: () => void
  /** True for the page of a single entry, which is shown open. */
  readonly isSingle?: boolean
  /** Further facts and links of an open entry. */
  readonly detailOf?: (entry: E) => ReactNode
}

/** The entries of a log, page after page. */
export function AuditList<E extends AuditEntry>({
  pages,
  placeOf,
  onReset,
  isSingle = false,
  detailOf,
}: AuditListProps<E>) {
  const hasMore = pages.hasNextPage && !isSingle
  // If only older entries could not be read, the entries that are shown stay.
  if (pages.isLoadingError) {
    return (
      <Failure
        title="The audit log could not be loaded"
        error={pages.error}
        onRetry={() => void pages.refetch()}
      />
    )
  }
  if (!pages.data) return <SkeletonRows rows={8} height={56} />
  if (pages.data.length === 0) return <NoEntries onReset={onReset} />
  return (
    <>
      <Text size="xs" c="dimmed" mb={6} role="status">
        {hasMore && 'The newest '}
        {countOf(pages.data.length, 'entry', 'entries')}
      </Text>
      <Paper
        withBorder
        component="ol"
        className={classes.list}
        aria-label="Entries"
        aria-busy={pages.isPlaceholderData}
      >
        {pages.data.map((entry) => (
          <AuditRow key={entry.id} entry={entry} place={placeOf(entry)} startsOpen={isSingle}>
            {detailOf?.(entry)}
          </AuditRow>
        ))}
      </Paper>
      {pages.isFetchNextPageError && (
        <Failure
          title="Older entries could not be loaded"
          error={pages.error}
          onRetry={() => void pages.fetchNextPage()}
        />
      )}
      {hasMore && !pages.isFetchNextPageError && (
        <Button
          variant="default"
          fullWidth
          mt="sm"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          Show older entries
        </Button>
      )}
    </>
  )
}

function NoEntries({ onReset }: Pick<AuditListProps<AuditEntry>, 'onReset'>) {
  return (
    <EmptyState
      icon={<IconHistory size={22} />}
      title="No matching entries"
      action={
        <Button variant="default" onClick={onReset}>
          Clear filters
        </Button>
      }
    >
      Every change of a flag, segment, experiment or setting is recorded here, with its author and what
      changed.
    </EmptyState>
  )
}
