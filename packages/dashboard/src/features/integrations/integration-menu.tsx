import type { Integration } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { ReceiverMenu } from '../../shared/deliveries/receiver-menu.tsx'
import { confirm } from '../../shared/ui/confirm.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'

interface IntegrationMenuProps {
  readonly integration: Integration
  readonly onEdit: () => void
}

export function IntegrationMenu({ integration, onEdit }: IntegrationMenuProps) {
  const client = useQueryClient()
  const { enabled, environment_id, id, name } = integration
  const params = { env_id: environment_id, id }
  const setEnabled = async (is_enabled: boolean) => {
    try {
      await call('updateIntegration', { params, body: { enabled: is_enabled } })
      await refresh(client, 'listIntegrations')
    } catch (error) {
      notifyFailure('The chat alert was not changed', error)
      return
    }
    notifySuccess({
      message: is_enabled ? 'The chat alert is enabled.' : 'The chat alert is disabled: it is told nothing.',
      onUndo: () => void setEnabled(!is_enabled),
    })
  }
  const askToDelete = () =>
    confirm({
      title: 'Delete this chat alert?',
      children: (
        <>
          <b>{name}</b> is told nothing from now on. Its address is forgotten: to connect the chat again you
          need it.
        </>
      ),
      confirm_label: 'Delete chat alert',
      onConfirm: async () => {
        await call('deleteIntegration', { params })
        await refresh(client, 'listIntegrations')
        notifySuccess({ message: 'The chat alert is deleted.' })
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
