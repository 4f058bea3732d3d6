import type { CreatedProject } from '@burgee/contract'
import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { requireFields } from '../../shared/forms/field-errors.ts'
import { FormActions } from '../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { SecretOnce } from '../../shared/ui/secret-once.tsx'
import { checkName } from './check-name.ts'

interface CreateProjectDialogProps {
  readonly is_open: boolean
  readonly onClose: () => void
}

/** A name is all it takes; then the key of its Production is shown, this once. */
export function CreateProjectDialog({ is_open, onClose }: CreateProjectDialogProps) {
  const [created, setCreated] = useState<CreatedProject | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Modal
      opened={is_open}
      onClose={close}
      title={created ? 'Store the key of Production' : 'Create project'}
      // A key that is shown once is not closed by a slip.
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
    >
      {created ? (
        <StoreKey created={created} onClose={close} />
      ) : (
        <CreateForm onCreated={setCreated} onClose={close} />
      )}
    </Modal>
  )
}

interface CreateFormProps {
  readonly onCreated: (project: CreatedProject) => void
  readonly onClose: () => void
}

function CreateForm({ onCreated, onClose }: CreateFormProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const { errors, failure, form_props, is_busy } = useSubmit(['name'], async () => {
    const problem = checkName(name)
    requireFields([['name', problem === '', problem]])
    const created = await call('createProject', { body: { name } }).catch((error: unknown) => {
      requireFields([
        ['name', !hasStatus(error, 409), 'There is such a project already. Choose another name.'],
      ])
      throw error
    })
    onCreated(created)
    await refresh(client, 'listProjects')
  })
  return (
    <form {...form_props}>
      <Stack>
        {failure !== null && <Failure error={failure} title="The project was not created" />}
        <TextInput
          label="Name"
          placeholder="Web shop"
          description="It gets the environments Production, Staging and Development, and a key for Production."
          required
          data-autofocus
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormActions submit_label="Create project" is_busy={is_busy} onCancel={onClose} />
      </Stack>
    </form>
  )
}

function StoreKey({ created, onClose }: { readonly created: CreatedProject; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const [is_stored, setStored] = useState(false)
  const { sdk_key } = created
  const connect = async () => {
    onClose()
    await navigate({
      to: '/projects/$project_id/environments/$environment_id/connect',
      params: { project_id: created.id, environment_id: sdk_key.environment_id },
    })
  }
  return (
    <Stack>
      <Text size="sm">
        {created.name} is there. It comes with a server key of {sdk_key.environment_name}, for scripts that
        change flags. For programs that read them, create a reader key in the settings.
      </Text>
      <SecretOnce label={`Server key of ${sdk_key.environment_name}`} secret={sdk_key.key} />
      <Checkbox
        label="I have stored it"
        checked={is_stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={!is_stored}>
          Done
        </Button>
        <Button onClick={() => void connect()} disabled={!is_stored}>
          Connect your app
        </Button>
      </Group>
    </Stack>
  )
}
