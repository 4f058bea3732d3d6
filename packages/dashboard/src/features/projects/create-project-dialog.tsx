import { Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { createReaderKey } from '../../parts/connect-app/create-reader-key.ts'
import { hasStatus } from '../../shared/api/api-error.ts'
import { send } from '../../shared/api/call.ts'
import { requireFields } from '../../shared/forms/field-errors.ts'
import { FormActions } from '../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { checkName } from './check-name.ts'
import { type NewProject, StoreKeys } from './store-keys.tsx'

interface CreateProjectDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** A name is all it takes; then the keys of its Production are shown, this once. */
export function CreateProjectDialog({ isOpen, onClose }: CreateProjectDialogProps) {
  const [created, setCreated] = useState<NewProject | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Modal
      // A slow response may come when the form is closed already: its keys are seen now or never.
      opened={isOpen || created !== null}
      onClose={close}
      title={created ? `Connect a program to ${created.project.name}` : 'Create project'}
      // A key that is shown once is not closed by a slip.
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
    >
      {created ? (
        <StoreKeys created={created} onClose={close} />
      ) : (
        <CreateForm onCreated={setCreated} onClose={close} />
      )}
    </Modal>
  )
}

interface CreateFormProps {
  readonly onCreated: (project: NewProject) => void
  readonly onClose: () => void
}

function CreateForm({ onCreated, onClose }: CreateFormProps) {
  const [name, setName] = useState('')
  const { errors, failure, formProps, isBusy } = useSubmit(['name'], async () => {
    const problem = checkName(name)
    requireFields([['name', problem === '', problem]])
    const { body: project } = await send('createProject', { body: { name } }).catch((error: unknown) => {
      requireFields([
        ['name', !hasStatus(error, 409), 'There is such a project already. Choose another name.'],
      ])
      throw error
    })
    const readerKey = await createReaderKey(project.id, project.sdk_key)
    onCreated({ project, readerKey })
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} title="The project was not created" />}
        <TextInput
          label="Name"
          placeholder="Web shop"
          description="It gets the environments Production, Staging and Development, and keys for Production."
          required
          data-autofocus
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormActions submitLabel="Create project" isBusy={isBusy} onCancel={onClose} />
      </Stack>
    </form>
  )
}
