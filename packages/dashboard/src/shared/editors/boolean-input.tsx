import { Input, SegmentedControl } from '@mantine/core'
import type { ValueFieldProps } from './value-field.ts'

/** true or false, and "no value" where that is offered. */
export function BooleanInput(props: ValueFieldProps) {
  const { label, value, onChange, description, error, isReadOnly = false, nullLabel } = props
  const choices = [
    { value: 'true', label: 'true' },
    { value: 'false', label: 'false' },
    ...(nullLabel === undefined && value !== null ? [] : [{ value: 'null', label: nullLabel ?? 'no value' }]),
  ]
  return (
    <div>
      {!props.isLabelHidden && (
        <Input.Label component="div" size="sm" display="block">
          {label}
        </Input.Label>
      )}
      {description && <Input.Description mb={4}>{description}</Input.Description>}
      <SegmentedControl
        aria-label={label}
        data={choices}
        value={JSON.stringify(value)}
        onChange={(chosen) => onChange(JSON.parse(chosen))}
        readOnly={isReadOnly}
        disabled={isReadOnly}
        size="sm"
      />
      {error !== undefined && <Input.Error mt={4}>{error}</Input.Error>}
    </div>
  )
}
