import type { Integration } from '@burgee/contract'
import { ReceiverDrawer } from '../../parts/deliveries/receiver-drawer.tsx'
import { IntegrationForm } from './integration-form.tsx'

interface IntegrationDrawerProps {
  readonly isOpen: boolean
  /** The one to edit; null to create one. */
  readonly integration: Integration | null
  readonly onClose: () => void
}

export const IntegrationDrawer = ({ isOpen, integration, onClose }: IntegrationDrawerProps) => (
  <ReceiverDrawer isOpen={isOpen} title={integration ? 'Edit alert' : 'Create alert'} onClose={onClose}>
    <IntegrationForm integration={integration} onDone={onClose} />
  </ReceiverDrawer>
)
