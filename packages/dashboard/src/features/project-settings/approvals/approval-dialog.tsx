import type { Environment } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { ApprovalForm } from './approval-form.tsx'

interface ApprovalDialogProps {
  readonly environment: Environment
  readonly onClose: () => void
}

/** The approval of changes in an environment: which wait, how many people approve, and who. */
export const ApprovalDialog = ({ environment, onClose }: ApprovalDialogProps) => (
  <Modal
    opened
    onClose={onClose}
    closeOnClickOutside={false}
    size="lg"
    title={`Require approval in ${environment.name}`}
  >
    <ApprovalForm environment={environment} onDone={onClose} />
  </Modal>
)
