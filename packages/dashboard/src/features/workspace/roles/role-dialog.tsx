import type { CustomRole } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { RoleForm } from './role-form.tsx'

interface RoleDialogProps {
  readonly roles: readonly CustomRole[]
  /** Null: a new one. */
  readonly edited: CustomRole | null
  /** The key of the role whose permissions a new one begins with. */
  readonly copied?: string
  readonly onClose: () => void
}

/** Creates or edits a role. */
export const RoleDialog = ({ roles, edited, copied = 'viewer', onClose }: RoleDialogProps) => (
  <Modal
    opened
    onClose={onClose}
    closeOnClickOutside={false}
    size="xl"
    title={edited ? `Edit ${edited.name}` : 'Create role'}
  >
    <RoleForm roles={roles} edited={edited} copied={copied} onDone={onClose} />
  </Modal>
)
