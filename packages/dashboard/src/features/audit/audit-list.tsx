import { Button, Paper, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import classes from './audit.module.css'
import type { AuditQuery } from './audit-filter.ts'
import { AuditRow } from './audit-row.tsx'
import { useAuditPages } from './use-audit-pages.ts'

interface AuditListProps {
  readonly query: AuditQuery
  readonly isProjectAdmin: boolean
  readonly onReset: () => void
}

export function AuditList({ query, isProjectAdmin, onReset }: AuditListProps) {
  const { project_id, environment_id } = useScope()
  const pages = useAuditPages({ project_id, environment_id, isProjectAdmin, query })
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
        {pages.data.length} {pages.data.length === 1 ? 'entry' : 'entries'}
        {pages.hasNextPage && ', and there are more'}
      </Text>
      <Paper
        withBorder
        component="ol"
        className={classes.list}
        aria-label="Entries"
        aria-busy={pages.isPlaceholderData}
      >
        {pages.data.map((entry) => (
          <AuditRow key={entry.id} entry={entry} hasEnvironment={query.environment_id === undefined} />
        ))}
      </Paper>
      {pages.isFetchNextPageError && (
        <Failure
          title="Older entries could not be loaded"
          error={pages.error}
          onRetry={() => void pages.fetchNextPage()}
        />
      )}
      {pages.hasNextPage && !pages.isFetchNextPageError && (
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

function NoEntries({ onReset }: Pick<AuditListProps, 'onReset'>) {
  return (
    <EmptyState
      icon={<IconHistory size={22} />}
      title="Nothing fits"
      action={
        <Button variant="default" onClick={onReset}>
          Clear filters
        </Button>
      }
    >
      Every change of a flag, segment, experiment or setting is written down here with who did it and what
      changed.
    </EmptyState>
  )
}
