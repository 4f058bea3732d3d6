import { Modal } from '@mantine/core'
import { AddMemberForm } from './add-member-form.tsx'

interface AddMemberDialogProps {
  readonly is_open: boolean
  readonly onClose: () => void
}

export function AddMemberDialog({ is_open, onClose }: AddMemberDialogProps) {
  return (
    <Modal opened={is_open} onClose={onClose} closeOnClickOutside={false} title="Add member">
      <AddMemberForm onDone={onClose} />
    </Modal>
  )
}
