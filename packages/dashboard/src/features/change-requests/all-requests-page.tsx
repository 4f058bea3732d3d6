import { Tabs } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { ShowMore } from '../../shared/ui/show-more.tsx'
import { AllRequestsList } from './all-requests-list.tsx'
import { LoadedRequests } from './loaded-requests.tsx'
import { type ShownRequests, toShown, useAllRequests } from './use-all-requests.ts'

const TABS: readonly { readonly value: ShownRequests; readonly label: string }[] = [
  { value: 'waiting', label: 'Waiting for me' },
  { value: 'mine', label: 'Mine' },
  { value: 'open', label: 'All open' },
]

/** The change requests of all projects: those that wait for the reader, own ones, and every open one. */
export function AllRequestsPage() {
  const [{ show }, setState] = useUrlState({ show: 'waiting' })
  const shown = toShown(show)
  const requests = useAllRequests(shown)
  const count = requests.data?.length ?? 0
  return (
    <Page title="Change requests of all projects" description="In every environment that you may read">
      <Tabs value={shown} onChange={(value) => setState({ show: value ?? 'waiting' })} keepMounted={false}>
        <Tabs.List aria-label="Which requests">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
              {value === shown && count > 0 ? ` (${count}${requests.hasNextPage ? '+' : ''})` : ''}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown} pt="md">
          <LoadedRequests requests={requests}>
            {(loaded) => (
              <>
                {loaded.length > 0 ? (
                  <AllRequestsList requests={loaded} hasStatus={shown === 'mine'} />
                ) : (
                  <NothingShown shown={shown} />
                )}
                <ShowMore noun="requests" pages={requests} />
              </>
            )}
          </LoadedRequests>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

const NOTHING: Readonly<Record<ShownRequests, readonly [title: string, text: string]>> = {
  waiting: [
    'Nothing waits for you',
    'Requests of others are listed here as long as you can approve them and have not.',
  ],
  mine: ['You have requested nothing', 'Your changes in environments that require approval are listed here.'],
  open: ['No request is open', 'Environments that require approval turn changes into requests.'],
}

function NothingShown({ shown }: { readonly shown: ShownRequests }) {
  const [title, text] = NOTHING[shown]
  return (
    <EmptyState icon={<IconChecklist size={22} />} title={title}>
      {text}
    </EmptyState>
  )
}
