import type { Invariant } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { Autocomplete, Input, MultiSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isIncomplete } from '../../../parts/rules/rule-hints.ts'
import { send } from '../../../shared/api/call.ts'
import { useInputProblems } from '../../../shared/editors/input-problems.tsx'
import { describeMistake, parseJson } from '../../../shared/editors/parse-json.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { requireFields, requireFilled } from '../../../shared/forms/field-errors.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { DemandForm } from './demand-form.tsx'
import { type Demand, demandOf, FIRST_DEMAND, findDemandProblem } from './demand-text.ts'
import { useKnownFlags } from './use-known-flags.ts'

interface InvariantFormProps {
  /** The one to edit; null to create one. */
  readonly invariant: Invariant | null
  readonly onDone: () => void
}

const ENFORCEMENTS = [
  { value: 'block', label: 'Block' },
  { value: 'warn', label: 'Warn' },
]

/** An invariant that is violated is corrected in the form: it cannot be overridden. */
const SHOWN_HERE = { handlesViolations: true }

export function InvariantForm({ invariant, onDone }: InvariantFormProps) {
  const form = useInvariantForm(invariant, onDone)
  const { environments } = useScope()
  const known = useKnownFlags()
  const { errors } = form.submission
  const { draft, set } = form
  return (
    <DialogForm
      submission={form.submission}
      submitLabel={invariant ? 'Save invariant' : 'Create invariant'}
      onCancel={onDone}
    >
      {!invariant && (
        <TextInput
          label="Key"
          placeholder="sso-needs-enterprise"
          value={draft.key}
          onChange={(event) => set({ key: event.currentTarget.value })}
          error={errors.key}
        />
      )}
      <Autocomplete
        label="Flag"
        data={[...known.keys]}
        limit={50}
        value={draft.flag}
        onChange={(flag) => set({ flag })}
        error={errors.flag}
      />
      <DemandForm
        text={draft.demand}
        onText={(demand) => set({ demand })}
        flag={draft.flag}
        known={known}
        error={errors.demand}
      />
      <MultiSelect
        label="Environments"
        placeholder={draft.environments.length === 0 ? 'All' : ''}
        data={environments.map(({ name, slug }) => ({ value: slug, label: name }))}
        value={draft.environments}
        onChange={(slugs) => set({ environments: slugs })}
        error={errors.environments}
        clearable
      />
      <Input.Wrapper
        label="When a change violates it"
        labelElement="div"
        description="Block refuses the change, unless an admin overrides it with a reason. Warn saves it with a warning."
      >
        <SegmentedControl
          aria-label="When a change violates it"
          mt={6}
          fullWidth
          data={ENFORCEMENTS}
          value={draft.enforcement}
          onChange={(value) => set({ enforcement: value === 'warn' ? 'warn' : 'block' })}
        />
      </Input.Wrapper>
      <Textarea
        label="Reason"
        description="Why the demand is made."
        value={draft.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
        error={errors.description}
        autosize
      />
    </DialogForm>
  )
}

const draftOf = (invariant: Invariant | null) => ({
  key: invariant?.key ?? '',
  flag: invariant?.flag ?? '',
  demand: JSON.stringify(invariant ? demandOf(invariant) : FIRST_DEMAND, null, 2),
  environments: invariant?.environments ?? [],
  enforcement: invariant?.enforcement ?? ('block' as const),
  description: invariant?.description ?? '',
})

const FIELDS = ['key', 'flag', 'demand', 'environments', 'description']

function useInvariantForm(invariant: Invariant | null, onDone: () => void) {
  const { project_id } = useScope()
  const [draft, setDraft] = useState(() => draftOf(invariant))
  const [unread] = useInputProblems()
  const submission = useSubmit(FIELDS, async () => {
    requireFilled([
      ...(invariant ? [] : [['key', draft.key, 'Enter a key, such as sso-needs-enterprise.'] as const]),
      ['flag', draft.flag, 'Choose the flag.'],
    ])
    requireFields([['demand', unread === undefined, unread ? `${unread.label}: ${unread.message}` : '']])
    const demand = readDemand(draft.demand)
    const fields = {
      flag: draft.flag.trim(),
      environments: draft.environments.length > 0 ? draft.environments : null,
      enforcement: draft.enforcement,
      description: draft.description.trim() || null,
      // A patch keeps the conditions that it does not name.
      ...(invariant && { when: [] }),
      ...demand,
    }
    if (invariant)
      await send('updateInvariant', { params: { project_id, key: invariant.key }, body: fields }, SHOWN_HERE)
    else
      await send(
        'createInvariant',
        { params: { project_id }, body: { key: draft.key.trim(), ...fields } },
        SHOWN_HERE,
      )
    onDone()
  })
  const set = (fields: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...fields }))
    submission.dismiss(Object.keys(fields))
  }
  return { draft, set, submission }
}

/** Reads a demand that was typed. Throws with the problem at the field. */
function readDemand(text: string): Demand {
  const parsed = parseJson(text)
  const problem = parsed.isValid ? findDemandProblem(parsed.value) : describeMistake(parsed.mistake)
  requireFields([['demand', problem === null, problem ?? '']])
  const value: JsonValue = parsed.isValid ? parsed.value : null
  // The server validates the details, and names the wrong ones.
  const demand = value as Demand
  const isWhole = !(Array.isArray(demand.when) && demand.when.some(isIncomplete))
  requireFields([
    ['demand', isWhole, 'A condition needs an attribute and values. Without values no user meets it.'],
  ])
  return demand
}
