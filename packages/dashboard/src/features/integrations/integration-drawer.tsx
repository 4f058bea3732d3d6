import type { Integration } from '@burgee/contract'
import { Drawer } from '@mantine/core'
import { IntegrationForm } from './integration-form.tsx'

interface IntegrationDrawerProps {
  readonly isOpen: boolean
  /** The one to edit; null to create one. */
  readonly integration: Integration | null
  readonly onClose: () => void
}

/** Where a chat alert is created or edited, beside the list. A click beside it does not throw away what was typed. */
export function IntegrationDrawer({ isOpen, integration, onClose }: IntegrationDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="md"
      closeOnClickOutside={false}
      title={integration ? 'Edit alert' : 'Create alert'}
    >
      <IntegrationForm integration={integration} onDone={onClose} />
    </Drawer>
  )
}
