import type { Webhook } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { ReceiverMenu } from '../../shared/deliveries/receiver-menu.tsx'
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
    <ReceiverMenu
      name={name}
      is_enabled={enabled}
      onEdit={onEdit}
      onSwitch={(is_enabled) => void setEnabled(is_enabled)}
      onDelete={askToDelete}
    />
  )
}
