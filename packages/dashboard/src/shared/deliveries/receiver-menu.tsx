import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'

interface ReceiverMenuProps {
  readonly name: string
  readonly is_enabled: boolean
  readonly onEdit: () => void
  readonly onSwitch: (is_enabled: boolean) => void
  readonly onDelete: () => void
}

/** What can be done to a webhook or chat alert, behind its row's three dots. */
export function ReceiverMenu({ name, is_enabled, onEdit, onSwitch, onDelete }: ReceiverMenuProps) {
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Actions for ${name}`}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onEdit}>
          Edit
        </Menu.Item>
        <Menu.Item
          leftSection={is_enabled ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
          onClick={() => onSwitch(!is_enabled)}
        >
          {is_enabled ? 'Disable' : 'Enable'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={onDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
