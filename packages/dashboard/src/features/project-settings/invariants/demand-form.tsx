import { SegmentedControl, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { JsonEditor } from '../../../shared/editors/json-editor.tsx'
import { parseJson } from '../../../shared/editors/parse-json.ts'
import { DemandFields } from './demand-fields.tsx'
import {
  changeKind,
  DEMAND_KINDS,
  type Demand,
  findDemandProblem,
  isDemandKind,
  kindOf,
} from './demand-text.ts'
import { DemandUsers } from './demand-users.tsx'
import type { KnownFlags } from './use-known-flags.ts'

interface DemandFormProps {
  /** The demand as JSON. It may be text that cannot be read yet. */
  readonly text: string
  readonly onText: (text: string) => void
  /** The key of the flag. */
  readonly flag: string
  readonly known: KnownFlags
  readonly error: string | undefined
}

const JSON_HEIGHT_PX = 180
const VIEWS = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
]

/** A demand, by fields for its kind and its users, or as JSON. */
export function DemandForm({ error, flag, known, onText, text }: DemandFormProps) {
  const demand = readDemand(text)
  const [view, setView] = useState('form')
  const isForm = view === 'form' && demand !== null
  const onChange = (next: Demand) => onText(JSON.stringify(next, null, 2))
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="How to edit the demand"
        size="xs"
        data={VIEWS.map((one) => ({ ...one, disabled: one.value === 'form' && demand === null }))}
        value={isForm ? 'form' : 'json'}
        onChange={setView}
        style={{ alignSelf: 'flex-start' }}
      />
      {isForm ? (
        <Fields demand={demand} onChange={onChange} flag={flag} known={known} error={error} />
      ) : (
        <JsonEditor
          label="Demand"
          description="Exactly one of never, only, shape, at_most and implies; when limits it to some users."
          height={JSON_HEIGHT_PX}
          value={text}
          onChange={onText}
          error={error}
        />
      )}
    </Stack>
  )
}

function readDemand(text: string): Demand | null {
  const parsed = parseJson(text)
  if (!parsed.isValid || findDemandProblem(parsed.value) !== null) return null
  // The fields of a form show what they can, and the server validates the rest.
  return parsed.value as Demand
}

interface FieldsProps extends Pick<DemandFormProps, 'flag' | 'known' | 'error'> {
  readonly demand: Demand
  readonly onChange: (demand: Demand) => void
}

function Fields({ demand, error, flag, known, onChange }: FieldsProps) {
  const kind = kindOf(demand)
  return (
    <>
      <Select
        label="Demand"
        data={DEMAND_KINDS.map(({ label, value }) => ({ label, value }))}
        value={kind}
        onChange={(next) => {
          if (isDemandKind(next)) onChange(changeKind(demand, next, known.valueOf(flag)))
        }}
        allowDeselect={false}
        error={error}
      />
      <DemandFields demand={demand} onChange={onChange} flag={flag} known={known} />
      {kind !== 'shape' && <DemandUsers demand={demand} onChange={onChange} known={known} />}
    </>
  )
}
