import { Modal } from '@mantine/core'
import { AddMemberForm } from './add-member-form.tsx'

interface AddMemberDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function AddMemberDialog({ isOpen, onClose }: AddMemberDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} closeOnClickOutside={false} title="Add member">
      <AddMemberForm onDone={onClose} />
    </Modal>
  )
}
