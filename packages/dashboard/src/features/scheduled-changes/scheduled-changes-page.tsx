import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { schedulePoll } from '../../parts/schedule/schedule-state.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { isMonth, monthOf } from './month-days.ts'
import { MonthView } from './month-view.tsx'
import { NothingScheduled } from './nothing-scheduled.tsx'
import { ScheduleList } from './schedule-list.tsx'

const VIEWS = [
  { value: 'calendar', label: 'Calendar' },
  { value: 'list', label: 'List' },
]

/** The changes that will happen by themselves, and those that did: as a month and as a list. */
export function ScheduledChangesPage() {
  const { environment_id, environment } = useScope()
  const [{ view, month, id }, setState] = useUrlState({ view: 'calendar', month: '', id: '' })
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const changes = useQuery({
    ...endpointQuery('listScheduledChanges', { params: { env_id: environment_id } }),
    refetchInterval: ({ state }) => schedulePoll(state.data, Date.now()),
  })
  // A change is described against its flag.
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id: environment_id } }))
  const shownMonth = isMonth(month) ? month : monthOf(new Date())
  return (
    <Page
      title="Scheduled changes"
      description={`Changes that run automatically in ${environment?.name ?? 'this environment'}, in your time zone`}
      actions={
        <SegmentedControl
          size="sm"
          data={VIEWS}
          value={view}
          onChange={(value) => setState({ view: value })}
          aria-label="View"
        />
      }
    >
      {changes.isPending || (view === 'list' && flags.isPending) ? (
        <SkeletonRows rows={6} height={104} />
      ) : changes.isLoadingError ? (
        <Failure
          error={changes.error}
          title="The scheduled changes could not be loaded"
          onRetry={changes.refetch}
        />
      ) : changes.data.length === 0 ? (
        <NothingScheduled />
      ) : view === 'list' ? (
        <ScheduleList changes={changes.data} flags={flags.data ?? []} />
      ) : (
        <MonthView
          changes={changes.data}
          month={shownMonth}
          isNarrow={isNarrow}
          onMonth={(value) => setState({ month: value })}
          onOpen={(opened) => setState({ id: opened })}
        />
      )}
      <ChangeDialog
        change={changes.data?.find((change) => change.id === id)}
        changes={changes.data ?? []}
        flags={flags.data ?? []}
        onClose={() => setState({ id: '' })}
      />
    </Page>
  )
}
