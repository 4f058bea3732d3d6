import type { ServiceAccount } from '@burgee/contract'
import { ActionIcon, Badge, Menu, Text } from '@mantine/core'
import {
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { Row } from '../../../shared/ui/row-list.tsx'
import { useAccountActions } from './use-account-actions.tsx'

interface AccountRowProps {
  readonly account: ServiceAccount
  readonly onDisable: () => void
  readonly onRename: () => void
  readonly onTokens: () => void
}

export function AccountRow({ account, ...handlers }: AccountRowProps) {
  const { actor, disabled_at, memberships, name } = account
  return (
    <Row
      title={name}
      badges={
        disabled_at !== null && (
          <Badge size="sm" variant="light" color="gray" tt="none">
            Disabled
          </Badge>
        )
      }
      subtitle={actor}
      actions={<AccountMenu account={account} {...handlers} />}
    >
      <Text size="xs" c="dimmed">
        {memberships.length === 0
          ? 'No member of a project'
          : memberships.map(({ project_name, role }) => `${project_name}: ${role}`).join(', ')}
      </Text>
    </Row>
  )
}

function AccountMenu({ account, onDisable, onRename, onTokens }: AccountRowProps) {
  const { confirmDelete, enable } = useAccountActions(account)
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Actions for ${account.name}`}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconKey size={15} />} onClick={onTokens}>
          Tokens
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onRename}>
          Rename
        </Menu.Item>
        <Menu.Divider />
        {account.disabled_at === null ? (
          <Menu.Item leftSection={<IconPlayerPause size={15} />} onClick={onDisable}>
            Disable
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconPlayerPlay size={15} />} onClick={() => void enable()}>
            Enable
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={confirmDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
