import type { DriftNote, Environment } from '@burgee/contract'
import { Button, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { DialogForm } from '../../shared/forms/dialog-form.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { formatInstant } from '../../shared/ui/format-time.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import { notifyFailure } from '../../shared/ui/notify.tsx'
import { isOfPair } from './drift-notes.ts'

interface DriftNoteSectionProps {
  readonly flag_key: string
  readonly source: Environment
  readonly target: Environment
  /** The note of the flag, which may be about another pair of environments. */
  readonly note: DriftNote | undefined
}

/** Why a flag is meant to differ between two environments. `burgee drift` does not count it then. */
export function DriftNoteSection(props: DriftNoteSectionProps) {
  const [isEditing, setEditing] = useState(false)
  const { note, source, target } = props
  return (
    <Stack gap="xs" component="section" aria-labelledby="drift-note">
      <Title order={2} size="h6" id="drift-note">
        Meant to differ
      </Title>
      {isEditing ? (
        <NoteForm {...props} onClose={() => setEditing(false)} />
      ) : note && isOfPair(note, source, target) ? (
        <Noted note={note} onEdit={() => setEditing(true)} />
      ) : (
        <NotNoted note={note} onEdit={() => setEditing(true)} />
      )}
    </Stack>
  )
}

interface NotedProps {
  readonly note: DriftNote
  readonly onEdit: () => void
}

function Noted({ note, onEdit }: NotedProps) {
  const { project_id } = useScope()
  const may = usePermissions()
  const remove = () =>
    call('deleteDriftNote', { params: { project_id, flag_key: note.flag_key } }).catch((error: unknown) =>
      notifyFailure('The note was not removed', error),
    )
  return (
    <>
      <Text size="sm">{note.reason}</Text>
      <Text size="xs" c="dimmed">
        {note.owner_email}
        {note.expires_at === null ? '' : `, until ${formatInstant(note.expires_at)}`}
      </Text>
      <Group gap="xs">
        <Gated permission={may('putDriftNote')}>
          <Button size="compact-sm" variant="default" onClick={onEdit}>
            Edit note
          </Button>
        </Gated>
        <Gated permission={may('deleteDriftNote')}>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void remove()}>
            Remove note
          </Button>
        </Gated>
      </Group>
    </>
  )
}

function NotNoted({ note, onEdit }: { readonly note: DriftNote | undefined; readonly onEdit: () => void }) {
  const permission = usePermissions()('putDriftNote')
  return (
    <>
      <Text size="sm" c="dimmed">
        {note
          ? `The note of this flag is about ${note.source} and ${note.target}. A new one replaces it.`
          : 'No note explains the difference.'}
      </Text>
      <Gated permission={permission}>
        <Button size="compact-sm" variant="default" w="fit-content" onClick={onEdit}>
          Add note
        </Button>
      </Gated>
    </>
  )
}

/** The date of a time of ISO 8601. */
const DATE_LENGTH = 10

function NoteForm({
  flag_key,
  note,
  onClose,
  source,
  target,
}: DriftNoteSectionProps & { readonly onClose: () => void }) {
  const { project_id } = useScope()
  const me = useMe()
  const [reason, setReason] = useState(note?.reason ?? '')
  const [owner, setOwner] = useState(note?.owner_email ?? me?.email ?? '')
  const [until, setUntil] = useState(note?.expires_at?.slice(0, DATE_LENGTH) ?? '')
  const submission = useSubmit(['reason', 'owner_email', 'expires_at'], async () => {
    const expires_at = until === '' ? null : `${until}T00:00:00.000Z`
    const body = { source: source.slug, target: target.slug, reason, owner_email: owner, expires_at }
    await call('putDriftNote', { params: { project_id, flag_key }, body })
    onClose()
  })
  const { errors } = submission
  return (
    <DialogForm submission={submission} submitLabel="Save note" onCancel={onClose}>
      <Textarea
        label="Why it differs"
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={errors.reason}
        data-autofocus
      />
      <TextInput
        label="Owner"
        value={owner}
        onChange={(event) => setOwner(event.currentTarget.value)}
        error={errors.owner_email}
      />
      <TextInput
        type="date"
        label="Until"
        description="Leave empty to keep the note until it is removed."
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
        error={errors.expires_at}
      />
    </DialogForm>
  )
}
