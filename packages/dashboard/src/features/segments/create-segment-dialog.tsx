import { Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useComment } from '../../shared/comments/use-comment.tsx'
import { FormActions } from '../../shared/forms/form-actions.tsx'
import { suggestKey } from '../../shared/forms/suggest-key.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { problemsOf } from './problems-of.ts'
import { findProblems } from './segment-draft.ts'

interface CreateSegmentDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Name and key; the rules are built on the segment's own page, where creating leads. */
export function CreateSegmentDialog({ isOpen, onClose }: CreateSegmentDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create segment">
      <CreateSegmentForm onClose={onClose} />
    </Modal>
  )
}

function CreateSegmentForm({ onClose }: Pick<CreateSegmentDialogProps, 'onClose'>) {
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string | null>(null)
  const [description, setDescription] = useState('')
  const key = typedKey ?? suggestKey(name)
  const { environment } = useScope()
  const { comment, field, permission } = useComment(environment, { takesFocus: false })
  const { error, isBusy, problems, submit } = useCreateSegment({ name, key, description, comment })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (permission.isAllowed) void submit()
      }}
    >
      <Stack>
        {error !== null && <Failure error={error} title="The segment was not created" />}
        <TextInput
          label="Name"
          placeholder="Beta testers"
          required
          data-autofocus
          value={name}
          error={problems['/name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Key"
          description="Used in rules. It can be changed later."
          required
          spellCheck={false}
          autoComplete="off"
          value={key}
          error={problems['/key']}
          onChange={(event) => setTypedKey(event.currentTarget.value)}
        />
        <Textarea
          label="Description"
          placeholder="The users in the segment, in words"
          autosize
          minRows={2}
          maxRows={6}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        {field}
        <FormActions
          submitLabel="Create segment"
          isBusy={isBusy}
          onCancel={onClose}
          permission={permission}
        />
      </Stack>
    </form>
  )
}

interface NewSegment {
  readonly name: string
  readonly key: string
  readonly description: string
  readonly comment: string | undefined
}

function useCreateSegment({ name, key, description, comment }: NewSegment) {
  const navigate = useNavigate()
  const { project_id, environment_id } = useScope()
  const segments = useQuery(endpointQuery('listSegments', { params: { env_id: environment_id } }))
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    const found = findProblems({ name, key }, segments.data?.map((segment) => segment.key) ?? [])
    setProblems(found)
    setError(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const body = { name, key, description: description.trim() === '' ? null : description, rules: [] }
      await call('createSegment', { params: { env_id: environment_id }, body }, { comment })
      notifySuccess({ message: `Segment ${key} is created. Now add its users.` })
      await navigate({
        to: '/projects/$project_id/environments/$environment_id/segments/$segment_key',
        params: { project_id, environment_id, segment_key: key },
      })
    } catch (failure) {
      setProblems(problemsOf(failure))
      if (!(failure instanceof ApiError && failure.details.length > 0)) setError(failure)
      setBusy(false)
    }
  }
  return { error, isBusy, problems, submit }
}
