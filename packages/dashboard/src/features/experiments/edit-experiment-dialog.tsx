import type { Experiment } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { toDraft, toPatch } from './experiment-draft.ts'
import { ExperimentForm } from './experiment-form.tsx'
import { usePatchExperiment } from './use-patch-experiment.ts'

interface EditExperimentDialogProps {
  readonly experiment: Experiment
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** A click beside it does not throw away what was typed. */
export function EditExperimentDialog({ experiment, isOpen, onClose }: EditExperimentDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Edit experiment" size="lg" closeOnClickOutside={false}>
      <EditForm experiment={experiment} onClose={onClose} />
    </Modal>
  )
}

function EditForm({ experiment, onClose }: Omit<EditExperimentDialogProps, 'isOpen'>) {
  const patchExperiment = usePatchExperiment(experiment)
  // As it was when the dialog was opened, even if someone else changes it meanwhile.
  const [before] = useState(() => toDraft(experiment))
  return (
    <ExperimentForm
      env_id={experiment.environment_id}
      initial={before}
      isNew={false}
      onSubmit={async (draft) => {
        await patchExperiment(toPatch(before, draft))
        notifySuccess({ message: 'The experiment is saved.' })
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
