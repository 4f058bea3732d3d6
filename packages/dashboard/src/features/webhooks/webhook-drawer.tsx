import type { Webhook } from '@burgee/contract'
import { Drawer } from '@mantine/core'
import { WebhookForm } from './webhook-form.tsx'

interface WebhookDrawerProps {
  readonly isOpen: boolean
  /** The one to edit; null to create one. */
  readonly webhook: Webhook | null
  readonly onClose: () => void
}

/** Where a webhook is created or edited, beside the list. A click beside it does not throw away what was typed. */
export function WebhookDrawer({ isOpen, webhook, onClose }: WebhookDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="md"
      closeOnClickOutside={false}
      title={webhook ? 'Edit webhook' : 'Create webhook'}
    >
      <WebhookForm webhook={webhook} onDone={onClose} />
    </Drawer>
  )
}
