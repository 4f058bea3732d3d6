import type { Integration } from '@burgee/contract'
import { ReceiverMenu } from '../../parts/deliveries/receiver-menu.tsx'
import { call } from '../../shared/api/call.ts'

interface IntegrationMenuProps {
  readonly integration: Integration
  readonly onEdit: () => void
}

export function IntegrationMenu({ integration, onEdit }: IntegrationMenuProps) {
  const { enabled, environment_id, id, name } = integration
  const params = { env_id: environment_id, id }
  return (
    <ReceiverMenu
      name={name}
      is_enabled={enabled}
      noun="alert"
      whenDisabled="it no longer receives events"
      deletion={
        <>
          <b>{name}</b> no longer receives events. Its address is deleted too. To connect the chat again, you
          need the address.
        </>
      }
      onEdit={onEdit}
      onSwitch={async (wanted) => {
        await call('updateIntegration', { params, body: { enabled: wanted } })
      }}
      onDelete={async () => {
        await call('deleteIntegration', { params })
      }}
    />
  )
}
