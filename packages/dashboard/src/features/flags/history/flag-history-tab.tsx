import type { Flag } from '@burgee/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { useUrlState } from '../../../shared/scope/use-url-state.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { CompareRevisions } from './compare-revisions.tsx'
import classes from './history.module.css'
import { HistoryEntry } from './history-entry.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { useFlagHistory } from './use-flag-history.ts'

/** The flag as each change left it, with the way back. */
export function FlagHistoryTab({ flag }: { readonly flag: Flag }) {
  const { environment_id } = useScope()
  const history = useFlagHistory(environment_id, flag.key)
  const [address, setAddress] = useUrlState({ from: '', to: '', restore: '' })
  const { steps, hasNextPage, isFetchingNextPage, fetchNextPage } = history
  const restored = steps.find(({ entry }) => String(entry.revision) === address.restore)?.entry.flag ?? null
  // An entry of the audit log links to a revision that may be on a later page.
  const isSearching = address.restore !== '' && restored === null && hasNextPage && !isFetchingNextPage
  useEffect(() => {
    if (isSearching) void fetchNextPage()
  }, [isSearching, fetchNextPage])
  const restore = (revision: number | undefined) =>
    setAddress({ restore: revision === undefined ? '' : String(revision) })
  if (history.isPending) return <SkeletonRows rows={6} height={72} />
  if (history.isLoadingError) {
    return <Failure error={history.error} title="The history could not be loaded" onRetry={history.refetch} />
  }
  if (steps.length === 0) {
    return (
      <EmptyState icon={<IconHistory size={22} />} title="No history yet">
        Every change of this flag will be listed here, with who made it and a way back.
      </EmptyState>
    )
  }
  return (
    <Stack gap="lg">
      <CompareRevisions
        steps={steps}
        from={address.from}
        to={address.to}
        onChange={(change) => setAddress(change)}
      />
      <ol className={classes.timeline} aria-label="Changes, newest first">
        {steps.map(({ entry, before }) => (
          <HistoryEntry
            key={entry.revision}
            entry={entry}
            before={before}
            isCurrent={entry.revision === flag.revision}
            onCompare={() => setAddress({ from: String(entry.revision), to: String(flag.revision) })}
            onRestore={() => restore(entry.revision)}
            onUndo={() => restore(before?.revision)}
          />
        ))}
      </ol>
      {history.isFetchNextPageError && (
        <Failure error={history.error} title="The earlier changes could not be loaded" />
      )}
      <Group justify="center">
        {history.hasNextPage ? (
          <Button
            variant="default"
            onClick={() => history.fetchNextPage()}
            loading={history.isFetchingNextPage}
          >
            Show earlier changes
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            This is where the history begins.
          </Text>
        )}
      </Group>
      <RestoreDialog flag={flag} restored={restored} onClose={() => restore(undefined)} />
    </Stack>
  )
}
