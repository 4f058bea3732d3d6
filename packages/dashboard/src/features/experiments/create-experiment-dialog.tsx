import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { send } from '../../shared/api/call.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EMPTY_DRAFT, type ExperimentDraft, toInput } from './experiment-draft.ts'
import { ExperimentForm } from './experiment-form.tsx'

interface CreateExperimentDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Opens the new experiment when it is created. */
export function CreateExperimentDialog({ isOpen, onClose }: CreateExperimentDialogProps) {
  const { project_id, environment_id } = useScope()
  const navigate = useNavigate()
  const create = async (draft: ExperimentDraft) => {
    const { body: created } = await send('createExperiment', {
      params: { env_id: environment_id },
      body: toInput(draft),
    })
    await navigate({
      to: '/projects/$project_id/environments/$environment_id/experiments/$experiment_key',
      params: { project_id, environment_id, experiment_key: created.key },
    })
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create experiment" size="lg" closeOnClickOutside={false}>
      <ExperimentForm
        env_id={environment_id}
        initial={EMPTY_DRAFT}
        isNew
        onSubmit={create}
        onCancel={onClose}
      />
    </Modal>
  )
}
