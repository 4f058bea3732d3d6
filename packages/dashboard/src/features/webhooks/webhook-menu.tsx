import type { Webhook } from '@burgee/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { confirm } from '../../shared/ui/confirm.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'

interface WebhookMenuProps {
  readonly webhook: Webhook
  readonly onEdit: () => void
}

export function WebhookMenu({ webhook, onEdit }: WebhookMenuProps) {
  const client = useQueryClient()
  const { enabled, environment_id, id, name } = webhook
  const params = { env_id: environment_id, id }
  const setEnabled = async (is_enabled: boolean) => {
    try {
      await call('updateWebhook', { params, body: { enabled: is_enabled } })
      await refresh(client, 'listWebhooks')
    } catch (error) {
      notifyFailure('The webhook was not changed', error)
      return
    }
    notifySuccess({
      message: is_enabled ? 'The webhook is enabled.' : 'The webhook is disabled: it receives nothing.',
      onUndo: () => void setEnabled(!is_enabled),
    })
  }
  const askToDelete = () =>
    confirm({
      title: 'Delete this webhook?',
      children: (
        <>
          <b>{name}</b> receives nothing from now on, what waits to be sent to it is dropped, and its
          deliveries are gone.
        </>
      ),
      confirm_label: 'Delete webhook',
      onConfirm: async () => {
        await call('deleteWebhook', { params })
        await refresh(client, 'listWebhooks')
        notifySuccess({ message: 'The webhook is deleted.' })
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
          leftSection={enabled ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
          onClick={() => void setEnabled(!enabled)}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={askToDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
