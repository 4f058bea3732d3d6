import type { ClientState, SdkClient } from '@burgee/contract'
import { Badge, Group, Select, Table, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { filteredQuery } from '../../shared/api/queries.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { Time } from '../../shared/ui/time.tsx'

const REFRESH_EVERY_MS = 2_000
const SHOWN_MAX = 200
/** On phones, the names of clients and their state fit without scrolling. */
const TABLE_MIN_PX = 320
const COLORS = { current: 'teal', behind: 'yellow', silent: 'red' } as const satisfies Record<
  ClientState,
  string
>
const STATES = [
  { value: 'all', label: 'All states' },
  { value: 'silent', label: 'Silent' },
  { value: 'behind', label: 'Behind' },
  { value: 'current', label: 'Current' },
]

/** The SDKs of the environment that confirm what they have applied. */
export function ClientsTab({ env_id }: { readonly env_id: string }) {
  const [{ app, state }, setUrl] = useUrlState({ app: '', state: 'all' })
  const query = { limit: SHOWN_MAX, ...(app && { app }), ...(isState(state) && { state }) }
  const clients = useQuery({
    ...filteredQuery('listClients', { params: { env_id }, query }),
    refetchInterval: REFRESH_EVERY_MS,
  })
  const { data } = clients
  return (
    <>
      <Group mb="md">
        <SearchField
          label="Program"
          placeholder="Program"
          value={app}
          onChange={(next) => setUrl({ app: next })}
        />
        <Select
          aria-label="State"
          data={STATES}
          value={state}
          allowDeselect={false}
          onChange={(next) => setUrl({ state: next ?? 'all' })}
        />
        {data && data.total > 0 && (
          <Text size="sm" c="dimmed">
            {describeShown(data.total)}
          </Text>
        )}
      </Group>
      {clients.isError && (
        <Failure
          error={clients.error}
          title="The clients could not be loaded"
          onRetry={() => void clients.refetch()}
        />
      )}
      {!data && !clients.isError && <SkeletonRows rows={4} height={40} />}
      {data && data.total === 0 && <NoClients isFiltered={app !== '' || isState(state)} />}
      {data && data.total > 0 && <ClientsTable clients={data.items} revision={data.revision} />}
    </>
  )
}

const isState = (state: string): state is ClientState => Object.hasOwn(COLORS, state)

const describeShown = (total: number): string =>
  total > SHOWN_MAX
    ? `The first ${SHOWN_MAX} of ${total.toLocaleString('en')}`
    : `${total.toLocaleString('en')} in all`

function NoClients({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState
      icon={<IconPlugConnected size={22} />}
      title={isFiltered ? 'No client fits the filter' : 'No client confirms changes'}
    >
      SDKs with server keys confirm what they have applied, and are listed here. Browsers and older SDKs
      receive changes without confirming them.
    </EmptyState>
  )
}

function ClientsTable({
  clients,
  revision,
}: {
  readonly clients: readonly SdkClient[]
  readonly revision: number
}) {
  return (
    <Table.ScrollContainer minWidth={TABLE_MIN_PX}>
      <Table verticalSpacing="xs" aria-label={`Clients, compared with revision ${revision}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Program</Table.Th>
            <Table.Th>Instance</Table.Th>
            <Table.Th visibleFrom="sm">SDK</Table.Th>
            <Table.Th ta="right">Revision</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th visibleFrom="sm">Connected</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {clients.map((client) => (
            <ClientRow key={client.client_id} client={client} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function ClientRow({ client }: { readonly client: SdkClient }) {
  const { app, connected_at, instance, revision, sdk, state, transport } = client
  return (
    <Table.Tr>
      <Table.Td>{app || <Text c="dimmed">unnamed</Text>}</Table.Td>
      <Table.Td>{instance || client.client_id.slice(0, 8)}</Table.Td>
      <Table.Td visibleFrom="sm">{`${sdk}${transport === 'poll' ? ', polls' : ''}`}</Table.Td>
      <Table.Td ta="right">{revision ?? 'none yet'}</Table.Td>
      <Table.Td>
        <Badge variant="light" tt="none" color={COLORS[state]}>
          {state}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Time at={connected_at} />
      </Table.Td>
    </Table.Tr>
  )
}
