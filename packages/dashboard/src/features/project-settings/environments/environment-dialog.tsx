import type { Environment } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { EnvironmentForm } from './environment-form.tsx'

interface EnvironmentDialogProps {
  readonly isOpen: boolean
  /** The one to edit; null to create one. */
  readonly environment: Environment | null
  readonly onClose: () => void
}

export function EnvironmentDialog({ isOpen, environment, onClose }: EnvironmentDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      closeOnClickOutside={false}
      title={environment ? 'Edit environment' : 'Create environment'}
    >
      <EnvironmentForm environment={environment} onDone={onClose} />
    </Modal>
  )
}
