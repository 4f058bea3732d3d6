import { REQUEST_SEARCH_MAX_LENGTH } from '@burgee/contract'
import { Box, Group, SegmentedControl, Tabs } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Page } from '../../shared/ui/page.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { ShowMore } from '../../shared/ui/show-more.tsx'
import classes from './change-requests.module.css'
import { LoadedRequests } from './loaded-requests.tsx'
import { NoRequests } from './no-requests.tsx'
import { OpenRequest } from './open-request.tsx'
import { RequestList } from './request-list.tsx'
import { type StatusTab, toStatusTab, toWhose, useChangeRequests } from './use-change-requests.ts'

const TABS: readonly { readonly value: StatusTab; readonly label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'cancelled', label: 'Canceled' },
  { value: 'all', label: 'All' },
]

const WHOSE = [
  { value: 'all', label: 'Everyone' },
  { value: 'waiting', label: 'Waiting for me' },
  { value: 'mine', label: 'Mine' },
]

const FILTERS = { status: 'pending', show: 'all', q: '', id: '' }

/** The inbox of changes that wait for approval, and those that were decided. */
export function ChangeRequestsPage() {
  const { environment_id, environment } = useScope()
  const [{ status, show, q, id }, setState] = useUrlState(FILTERS)
  const tab = toStatusTab(status)
  const whose = toWhose(show)
  const requests = useChangeRequests(environment_id, { tab, whose, q })
  const isNarrowed = whose !== 'all' || q !== ''
  const count = tab === 'pending' && requests.data ? requests.data.length : 0
  return (
    <Page
      title="Change requests"
      description={`Changes waiting for approval in ${environment?.name ?? 'this environment'}`}
    >
      <Tabs
        value={tab}
        // Only pending requests wait for anyone.
        onChange={(value) =>
          setState({
            status: value ?? 'pending',
            id: '',
            ...(whose === 'waiting' && value !== 'pending' && value !== 'all' && { show: 'all' }),
          })
        }
        keepMounted={false}
      >
        <Tabs.List>
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
              {value === 'pending' && count > 0 ? ` (${count}${requests.hasNextPage ? '+' : ''})` : ''}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Group gap="sm" mt="md" className={classes.filters}>
          <SearchField
            label="Search change requests"
            placeholder="Flag, requester or comment"
            value={q}
            onChange={(text) => setState({ q: text.slice(0, REQUEST_SEARCH_MAX_LENGTH) })}
          />
          <SegmentedControl
            size="xs"
            aria-label="Whose requests"
            data={WHOSE}
            value={whose}
            onChange={(value) =>
              setState({ show: value, id: '', ...(value === 'waiting' && { status: 'pending' }) })
            }
          />
        </Group>
        <Tabs.Panel value={tab} pt="md">
          <LoadedRequests requests={requests}>
            {(loaded) => (
              <Box className={classes.split} data-open={id !== '' || undefined}>
                <Box className={classes.list}>
                  {loaded.length > 0 ? (
                    <RequestList requests={loaded} opened={id} hasBadges={tab === 'all'} />
                  ) : (
                    <NoRequests
                      tab={tab}
                      {...(isNarrowed && { onClear: () => setState({ q: '', show: 'all' }) })}
                    />
                  )}
                  <ShowMore noun="requests" pages={requests} />
                </Box>
                <OpenRequest id={id} listed={loaded} onBack={() => setState({ id: '' })} />
              </Box>
            )}
          </LoadedRequests>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
