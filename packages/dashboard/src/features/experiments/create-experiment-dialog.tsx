import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
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
  const client = useQueryClient()
  const navigate = useNavigate()
  const create = async (draft: ExperimentDraft) => {
    const { key } = await call('createExperiment', {
      params: { env_id: environment_id },
      body: toInput(draft),
    })
    void refresh(client, 'listExperiments')
    await navigate({
      to: '/projects/$project_id/environments/$environment_id/experiments/$experiment_key',
      params: { project_id, environment_id, experiment_key: key },
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
