import type { Environment } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { EnvironmentForm } from './environment-form.tsx'

interface EnvironmentDialogProps {
  readonly is_open: boolean
  /** The one to edit; null to create one. */
  readonly environment: Environment | null
  readonly onClose: () => void
}

export function EnvironmentDialog({ is_open, environment, onClose }: EnvironmentDialogProps) {
  return (
    <Modal
      opened={is_open}
      onClose={onClose}
      closeOnClickOutside={false}
      title={environment ? 'Edit environment' : 'Create environment'}
    >
      <EnvironmentForm environment={environment} onDone={onClose} />
    </Modal>
  )
}
