import type { Webhook } from '@burgee/contract'
import { ReceiverMenu } from '../../parts/deliveries/receiver-menu.tsx'
import { call } from '../../shared/api/call.ts'

interface WebhookMenuProps {
  readonly webhook: Webhook
  readonly onEdit: () => void
}

export function WebhookMenu({ webhook, onEdit }: WebhookMenuProps) {
  const { enabled, environment_id, id, name } = webhook
  const params = { env_id: environment_id, id }
  return (
    <ReceiverMenu
      name={name}
      is_enabled={enabled}
      noun="webhook"
      whenDisabled="it no longer receives events"
      deletion={
        <>
          <b>{name}</b> no longer receives events. Events that wait to be sent to it are dropped, and its
          deliveries are deleted.
        </>
      }
      onEdit={onEdit}
      onSwitch={async (wanted) => {
        await call('updateWebhook', { params, body: { enabled: wanted } })
      }}
      onDelete={async () => {
        await call('deleteWebhook', { params })
      }}
    />
  )
}
