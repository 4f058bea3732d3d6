import type { Project } from '@burgee/contract'
import { Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { requireFields } from '../../shared/forms/field-errors.ts'
import { FormActions } from '../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { checkName } from './check-name.ts'

interface RenameProjectDialogProps {
  readonly project: Project
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function RenameProjectDialog({ project, isOpen, onClose }: RenameProjectDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Rename project">
      <RenameForm project={project} onClose={onClose} />
    </Modal>
  )
}

function RenameForm({ project, onClose }: Omit<RenameProjectDialogProps, 'isOpen'>) {
  const [name, setName] = useState(project.name)
  const rename = async (to: string) => {
    await call('updateProject', { params: { project_id: project.id }, body: { name: to } })
  }
  const undo = () =>
    rename(project.name).catch((failure: unknown) => notifyFailure('The change was not undone', failure))
  const { errors, failure, formProps, isBusy } = useSubmit(['name'], async () => {
    const problem = checkName(name)
    requireFields([['name', problem === '', problem]])
    await rename(name)
    onClose()
    notifySuccess({ message: 'The project is renamed.', onUndo: () => void undo() })
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} title="The project was not renamed" />}
        <TextInput
          label="Name"
          description={`The slug ${project.slug} stays, and SDKs are not affected.`}
          required
          data-autofocus
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormActions submitLabel="Rename project" isBusy={isBusy} onCancel={onClose} />
      </Stack>
    </form>
  )
}
