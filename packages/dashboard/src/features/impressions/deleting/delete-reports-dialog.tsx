import { REPORTED_USER_ID_MAX_LENGTH } from '@burgee/contract'
import { Autocomplete, Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { TypedKey } from '../../../shared/ui/typed-key.tsx'
import { type ReportSubject, SUBJECT_WORDS, type SubjectKind } from './report-subject.ts'

const KINDS = [
  { value: 'user_id', label: 'User' },
  { value: 'flag_key', label: 'Flag' },
  { value: 'event_key', label: 'Event' },
] as const satisfies readonly { value: SubjectKind; label: string }[]
const SHOWN_MAX = 50

interface DeleteReportsDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDelete: (subject: ReportSubject) => Promise<void>
}

/** Deletes the reports of a user, a flag or an event by its name, such as those of a user who requests it. */
export function DeleteReportsDialog({ isOpen, onClose, onDelete }: DeleteReportsDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Delete reports" closeOnClickOutside={false}>
      <DeleteReportsForm onClose={onClose} onDelete={onDelete} />
    </Modal>
  )
}

function DeleteReportsForm({ onClose, onDelete }: Omit<DeleteReportsDialogProps, 'isOpen'>) {
  const { environment } = useScope()
  const [kind, setKind] = useState<SubjectKind>('user_id')
  const [name, setName] = useState('')
  const [typed, setTyped] = useState('')
  const { formProps, failure, isBusy } = useSubmit([], async () => {
    await onDelete({ kind, name })
    onClose()
  })
  const isConfirmed = name !== '' && (!isProduction(environment) || typed === name)
  const choose = (chosen: string) => {
    setKind(KINDS.find(({ value }) => value === chosen)?.value ?? 'user_id')
    setName('')
    setTyped('')
  }
  return (
    <form {...formProps}>
      <Stack gap="md">
        <SegmentedControl
          data={[...KINDS]}
          value={kind}
          onChange={choose}
          aria-label="Whose reports"
          fullWidth
        />
        <NameField kind={kind} value={name} onChange={setName} />
        <Text size="sm">
          {SUBJECT_WORDS[kind].gone} This cannot be undone. Reports that come in later are kept.
        </Text>
        {isProduction(environment) && name !== '' && (
          <TypedKey expected={name} value={typed} onChange={setTyped} />
        )}
        {failure !== null && <Failure error={failure} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={isBusy} disabled={!isConfirmed}>
            Delete reports
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface NameFieldProps {
  readonly kind: SubjectKind
  readonly value: string
  readonly onChange: (name: string) => void
}

/** Keys that were reported are offered; users are not listed anywhere. */
function NameField({ kind, value, onChange }: NameFieldProps) {
  const { environment_id: env_id } = useScope()
  const flags = useQuery({
    ...endpointQuery('getImpressionStats', { params: { env_id } }),
    enabled: kind === 'flag_key',
  })
  const events = useQuery({
    ...endpointQuery('listGoalEventKeys', { params: { env_id } }),
    enabled: kind === 'event_key',
  })
  if (kind === 'user_id') {
    return (
      <TextInput
        label="User id"
        description="Exactly as your code passes it to the SDK"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={REPORTED_USER_ID_MAX_LENGTH}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
      />
    )
  }
  const keys =
    kind === 'flag_key'
      ? (flags.data ?? []).map(({ flag_key }) => flag_key)
      : (events.data ?? []).map(({ event_key }) => event_key)
  return (
    <Autocomplete
      label={kind === 'flag_key' ? 'Flag key' : 'Event key'}
      placeholder="Choose one or write it"
      data={keys}
      value={value}
      onChange={onChange}
      limit={SHOWN_MAX}
      spellCheck={false}
    />
  )
}
