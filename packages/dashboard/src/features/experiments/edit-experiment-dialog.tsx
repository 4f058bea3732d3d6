import type { Experiment } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { toDraft, toPatch } from './experiment-draft.ts'
import { ExperimentForm } from './experiment-form.tsx'
import { usePatchExperiment } from './use-patch-experiment.ts'

interface EditExperimentDialogProps {
  readonly experiment: Experiment
  readonly is_open: boolean
  readonly onClose: () => void
}

export function EditExperimentDialog({ experiment, is_open, onClose }: EditExperimentDialogProps) {
  const patchExperiment = usePatchExperiment(experiment)
  return (
    <Modal opened={is_open} onClose={onClose} title="Edit experiment" size="lg">
      <ExperimentForm
        env_id={experiment.environment_id}
        initial={toDraft(experiment)}
        is_new={false}
        onSubmit={async (draft) => {
          await patchExperiment(toPatch(draft))
          notifySuccess({ message: 'The experiment is saved.' })
          onClose()
        }}
        onCancel={onClose}
      />
    </Modal>
  )
}
