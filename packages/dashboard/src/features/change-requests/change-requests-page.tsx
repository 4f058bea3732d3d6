import { Box, Tabs } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import classes from './change-requests.module.css'
import { NoRequests } from './no-requests.tsx'
import { OpenRequest } from './open-request.tsx'
import { RequestList } from './request-list.tsx'
import { type StatusTab, toStatusTab, useChangeRequests } from './use-change-requests.ts'

const TABS: readonly { readonly value: StatusTab; readonly label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'all', label: 'All' },
]

/** The inbox of changes that wait for approval, and those that were decided. */
export function ChangeRequestsPage() {
  const { environment_id, environment } = useScope()
  const [{ status, id }, setState] = useUrlState({ status: 'pending', id: '' })
  const tab = toStatusTab(status)
  const requests = useChangeRequests(environment_id, tab)
  const count = tab === 'pending' ? requests.data?.length : undefined
  return (
    <Page
      title="Change requests"
      description={`Changes waiting for approval in ${environment?.name ?? 'this environment'}`}
    >
      <Tabs
        value={tab}
        onChange={(value) => setState({ status: value ?? 'pending', id: '' })}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs}>
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
              {value === 'pending' && count ? ` (${count})` : ''}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          {requests.isPending ? (
            <SkeletonRows rows={5} height={68} />
          ) : requests.isLoadingError ? (
            <Failure
              error={requests.error}
              title="The change requests could not be loaded"
              onRetry={requests.refetch}
            />
          ) : (
            <Box className={classes.split} data-open={id !== '' || undefined}>
              <Box className={classes.list}>
                {requests.data.length > 0 ? (
                  <RequestList requests={requests.data} opened={id} hasBadges={tab === 'all'} />
                ) : (
                  <NoRequests tab={tab} />
                )}
              </Box>
              <OpenRequest id={id} listed={requests.data} onBack={() => setState({ id: '' })} />
            </Box>
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
