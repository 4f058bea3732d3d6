import type { Webhook } from '@burgee/contract'
import { ReceiverDrawer } from '../../parts/deliveries/receiver-drawer.tsx'
import { WebhookForm } from './webhook-form.tsx'

interface WebhookDrawerProps {
  readonly isOpen: boolean
  /** The one to edit; null to create one. */
  readonly webhook: Webhook | null
  readonly onClose: () => void
}

export const WebhookDrawer = ({ isOpen, webhook, onClose }: WebhookDrawerProps) => (
  <ReceiverDrawer isOpen={isOpen} title={webhook ? 'Edit webhook' : 'Create webhook'} onClose={onClose}>
    <WebhookForm webhook={webhook} onDone={onClose} />
  </ReceiverDrawer>
)
