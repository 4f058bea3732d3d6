import type { Environment } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { SeenUsersForm } from './seen-users-form.tsx'

interface SeenUsersDialogProps {
  readonly environment: Environment
  readonly onClose: () => void
}

/** The choice of what an environment keeps of recently seen users, with an example of it. */
export const SeenUsersDialog = ({ environment, onClose }: SeenUsersDialogProps) => (
  <Modal
    opened
    onClose={onClose}
    closeOnClickOutside={false}
    size="lg"
    title={`Seen users of ${environment.name}`}
  >
    <SeenUsersForm environment={environment} onDone={onClose} />
  </Modal>
)
