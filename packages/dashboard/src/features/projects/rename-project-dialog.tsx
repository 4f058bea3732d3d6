import type { Project } from '@burgee/contract'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { checkName } from './check-name.ts'

interface RenameProjectDialogProps {
  readonly project: Project
  readonly is_open: boolean
  readonly onClose: () => void
}

export function RenameProjectDialog({ project, is_open, onClose }: RenameProjectDialogProps) {
  return (
    <Modal opened={is_open} onClose={onClose} title="Rename the project">
      <RenameForm project={project} onClose={onClose} />
    </Modal>
  )
}

function RenameForm({ project, onClose }: Omit<RenameProjectDialogProps, 'is_open'>) {
  const client = useQueryClient()
  const [name, setName] = useState(project.name)
  const [problem, setProblem] = useState('')
  const [error, setError] = useState<unknown>(null)
  const rename = async (to: string) => {
    await call('updateProject', { params: { project_id: project.id }, body: { name: to } })
    await refresh(client, 'listProjects', 'listProjectAudit')
  }
  const undo = () =>
    rename(project.name).catch((failure: unknown) => notifyFailure('It could not be taken back', failure))
  const submit = async () => {
    const found = checkName(name)
    setProblem(found)
    if (found !== '') return
    try {
      await rename(name)
      onClose()
      notifySuccess({ message: 'The project is renamed.', onUndo: () => void undo() })
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack>
        {error !== null && <Failure error={error} title="The project was not renamed" />}
        <TextInput
          label="Name"
          description={`The slug ${project.slug} stays, and SDKs notice nothing.`}
          required
          data-autofocus
          value={name}
          error={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Rename project</Button>
        </Group>
      </Stack>
    </form>
  )
}
