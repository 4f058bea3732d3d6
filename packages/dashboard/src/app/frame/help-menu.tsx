import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconApi, IconBook, IconHelp, IconKeyboard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { version } from '../../../package.json'
import { BASE_PATH } from '../../shared/api/base-path.ts'
import { send } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import type { StreamStatus } from '../live/open-stream.ts'

interface HelpMenuProps {
  readonly onShortcuts: () => void
  /** Null on pages of no environment, which follow no stream. */
  readonly stream: StreamStatus | null
}

const STREAM_LABELS: Readonly<Record<StreamStatus, string>> = {
  connecting: 'Live updates: connecting',
  live: 'Live updates: connected',
  reconnecting: 'Live updates: reconnecting',
}

/** Documentation and shortcuts, and whether all is well: version, server and live updates. */
export function HelpMenu({ onShortcuts, stream }: HelpMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const ready = useQuery({
    queryKey: endpointKey('getReadiness', {}),
    // The response is a word, not JSON; only its status counts.
    queryFn: async ({ signal }) => (await send('getReadiness', {}, { signal })).status === 200,
    enabled: isOpen,
    retry: false,
  })
  return (
    <Menu position="top-end" width={250} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Help">
          <IconHelp size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={onShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          component="a"
          href={`${BASE_PATH}/api/docs`}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconBook size={15} />}
        >
          API documentation
        </Menu.Item>
        <Menu.Item
          component="a"
          href={`${BASE_PATH}/api/openapi.json`}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconApi size={15} />}
        >
          OpenAPI description
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>
          <Text size="xs">Burgee {version}</Text>
          <Text size="xs" role="status">
            {describeServer(ready)}
          </Text>
          {stream && <Text size="xs">{STREAM_LABELS[stream]}</Text>}
        </Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}

function describeServer({ isPending, isError }: { readonly isPending: boolean; readonly isError: boolean }) {
  if (isPending) return 'Server: checking'
  return isError ? 'Server: not ready' : 'Server: ready'
}
