import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { confirm } from '../../shared/forms/confirm.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'

interface ReceiverMenuProps {
  readonly name: string
  readonly is_enabled: boolean
  /** The noun for the receiver: `webhook`, `alert`. */
  readonly noun: string
  /** The effect of disabling it: `it no longer receives events`. */
  readonly whenDisabled: string
  /** The effect of deleting it. */
  readonly deletion: ReactNode
  readonly onEdit: () => void
  readonly onSwitch: (is_enabled: boolean) => Promise<unknown>
  readonly onDelete: () => Promise<unknown>
}

/** The actions on a webhook or chat alert, behind its row's three dots. */
export function ReceiverMenu(props: ReceiverMenuProps) {
  const { deletion, is_enabled, name, noun, onDelete, onEdit, onSwitch, whenDisabled } = props
  const setEnabled = async (wanted: boolean) => {
    try {
      await onSwitch(wanted)
    } catch (error) {
      notifyFailure(`The ${noun} was not changed`, error)
      return
    }
    notifySuccess({
      message: wanted ? `The ${noun} is enabled.` : `The ${noun} is disabled: ${whenDisabled}.`,
      onUndo: () => void setEnabled(!wanted),
    })
  }
  const confirmDelete = () =>
    confirm({
      title: `Delete this ${noun}?`,
      children: deletion,
      confirmLabel: `Delete ${noun}`,
      onConfirm: async () => {
        await onDelete()
        notifySuccess({ message: `The ${noun} is deleted.` })
      },
    })
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
          onClick={() => void setEnabled(!is_enabled)}
        >
          {is_enabled ? 'Disable' : 'Enable'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={confirmDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
