import { KEY_MAX_LENGTH, NAME_MAX_LENGTH } from '@burgee/contract'
import { Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FlagPicker } from '../../parts/flag-picker/flag-picker.tsx'
import { ApiError, hasStatus } from '../../shared/api/api-error.ts'
import { FormActions } from '../../shared/forms/form-actions.tsx'
import { suggestKey } from '../../shared/forms/suggest-key.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { ControlPicker } from './control-picker.tsx'
import { DRAFT_FIELDS, type ExperimentDraft, validateDraft } from './experiment-draft.ts'
import { GoalPicker } from './goal-picker.tsx'

interface ExperimentFormProps {
  readonly env_id: string
  readonly initial: ExperimentDraft
  /** Key and flag of an experiment never change. */
  readonly isNew: boolean
  /** Rejects with what the server states. */
  readonly onSubmit: (draft: ExperimentDraft) => Promise<unknown>
  readonly onCancel: () => void
}

export function ExperimentForm({ env_id, initial, isNew, onSubmit, onCancel }: ExperimentFormProps) {
  const [draft, setDraft] = useState(initial)
  const set = (changes: Partial<ExperimentDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const { formProps, isBusy, failure, errors } = useSubmit(DRAFT_FIELDS, async () => {
    const details = validateDraft(draft)
    if (details.length > 0) throw new ApiError(422, { error: 'Something is missing.', details })
    await onSubmit(draft).catch(explainKnownKey)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="Name"
          placeholder="Which banner sells best?"
          required
          maxLength={NAME_MAX_LENGTH}
          data-autofocus
          value={draft.name}
          onChange={({ currentTarget: { value } }) => set(renameDraft(draft, value, isNew))}
          error={errors.name}
        />
        {isNew && (
          <>
            <TextInput
              label="Key"
              description="Names the experiment in addresses. It never changes."
              required
              maxLength={KEY_MAX_LENGTH}
              spellCheck={false}
              value={draft.key}
              onChange={({ currentTarget: { value } }) => set({ key: value })}
              error={errors.key}
            />
            <FlagPicker
              env_id={env_id}
              label="Flag"
              description="Users belong to the value of it that they saw first"
              value={draft.flag_key}
              onChange={(flag_key) => set({ flag_key, control_variant: '' })}
              error={errors.flag_key}
              isRequired
            />
          </>
        )}
        <GoalPicker
          env_id={env_id}
          value={draft.goal_event_key}
          onChange={(goal_event_key) => set({ goal_event_key })}
          error={errors.goal_event_key}
        />
        <ControlPicker
          env_id={env_id}
          flag_key={draft.flag_key}
          value={draft.control_variant}
          onChange={(control_variant) => set({ control_variant })}
          error={errors.control_variant}
        />
        <Textarea
          label="Description"
          placeholder="What you expect, and what you will do then"
          autosize
          minRows={2}
          maxRows={8}
          value={draft.description}
          onChange={({ currentTarget: { value } }) => set({ description: value })}
          error={errors.description}
        />
        {failure !== null && <Failure error={failure} />}
        <FormActions
          submitLabel={isNew ? 'Create experiment' : 'Save experiment'}
          isBusy={isBusy}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

/** The key of a new experiment follows its name until the key field is edited. */
function renameDraft(draft: ExperimentDraft, name: string, isNew: boolean): Partial<ExperimentDraft> {
  const follows = isNew && draft.key === suggestKey(draft.name)
  return follows ? { name, key: suggestKey(name) } : { name }
}

function explainKnownKey(error: unknown): never {
  if (!hasStatus(error, 409)) throw error
  throw new ApiError(409, {
    error: 'The key is taken.',
    details: [{ path: '/key', message: 'Another experiment has this key. Choose a different one.' }],
  })
}
