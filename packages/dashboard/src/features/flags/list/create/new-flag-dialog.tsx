import type { Flag } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { InputProblems } from '../../../../shared/editors/input-problems.tsx'
import { NewFlagForm } from './new-flag-form.tsx'

interface NewFlagDialogProps {
  readonly isOpen: boolean
  readonly flags: readonly Flag[]
  /** The key that the field has at first; empty for none. */
  readonly initialKey: string
  readonly onClose: () => void
}

/** Creates a flag and goes to it. */
export function NewFlagDialog({ isOpen, flags, initialKey, onClose }: NewFlagDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create flag" size="lg">
      <InputProblems>
        <NewFlagForm flags={flags} initialKey={initialKey} onClose={onClose} />
      </InputProblems>
    </Modal>
  )
}
