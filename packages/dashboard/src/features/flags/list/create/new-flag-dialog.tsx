import type { Flag } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { InputProblems } from '../../../../shared/editors/input-problems.tsx'
import { NewFlagForm } from './new-flag-form.tsx'

interface NewFlagDialogProps {
  readonly isOpen: boolean
  readonly flags: readonly Flag[]
  readonly onClose: () => void
}

/** Creates a flag and goes to it. */
export function NewFlagDialog({ isOpen, flags, onClose }: NewFlagDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create flag" size="lg">
      <InputProblems>
        <NewFlagForm flags={flags} onClose={onClose} />
      </InputProblems>
    </Modal>
  )
}
