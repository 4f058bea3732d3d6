import type { CreatedSdkKey, SdkKey } from '@burgee/contract'
import { Alert, Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { IconCheck, IconHourglass } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Time } from '../../../shared/ui/time.tsx'
import { assessRotation, describePrograms, type RotationState } from './key-programs.ts'

interface MoveStepProps {
  readonly old: SdkKey
  readonly created: CreatedSdkKey
  readonly onRevoke: () => void
  readonly onLater: () => void
}

const WATCH_MS = 2_000

/** Waits until programs use the new key, with the number of those that are connected with each key. */
export function MoveStep({ old: known, created, onRevoke, onLater }: MoveStepProps) {
  const { project_id } = useScope()
  const { data: keys = [] } = useQuery({
    ...endpointQuery('listSdkKeys', { params: { project_id } }),
    refetchInterval: WATCH_MS,
  })
  const old = keys.find(({ id }) => id === known.id) ?? known
  const next = keys.find(({ id }) => id === created.id) ?? { ...created, streams: 0, last_used_at: null }
  const state = assessRotation(old, Date.now())
  return (
    <Stack gap="md">
      <Text size="sm">
        Give the new key to each program, and restart it if it reads the key at its start. The numbers are
        live.
      </Text>
      <Table aria-label="Programs by key" withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Key</Table.Th>
            <Table.Th>Connected now</Table.Th>
            <Table.Th>Last used</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <UseRow label="Old" sdk_key={old} />
          <UseRow label="New" sdk_key={next} />
        </Table.Tbody>
      </Table>
      <Alert
        role="status"
        variant="light"
        color={state === 'free' ? 'teal' : 'yellow'}
        icon={state === 'free' ? <IconCheck size={18} /> : <IconHourglass size={18} />}
      >
        {describeState(state, old.streams)}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onLater}>
          Later
        </Button>
        <Button color="red" variant={state === 'free' ? 'filled' : 'light'} onClick={onRevoke}>
          Revoke the old key…
        </Button>
      </Group>
    </Stack>
  )
}

const UseRow = ({ label, sdk_key }: { readonly label: string; readonly sdk_key: SdkKey }) => (
  <Table.Tr>
    <Table.Td>
      {label} <Code>{sdk_key.prefix}</Code>
    </Table.Td>
    <Table.Td>{describePrograms(sdk_key.streams)}</Table.Td>
    <Table.Td>
      {sdk_key.last_used_at === null ? 'Never' : <Time at={sdk_key.last_used_at} size="sm" />}
    </Table.Td>
  </Table.Tr>
)

function describeState(state: RotationState, streams: number): string {
  switch (state) {
    case 'in_use':
      return `${describePrograms(streams)} ${streams === 1 ? 'is' : 'are'} still connected with the old key. Revoking it now stops ${streams === 1 ? 'it' : 'them'}.`
    case 'just_used':
      return 'No program is connected with the old key, but it was used within the last four minutes. If a program polls, wait until it has the new key.'
    case 'free':
      return 'No program is connected with the old key. It can be revoked.'
  }
}
