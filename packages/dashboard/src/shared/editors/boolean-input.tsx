import { Input, SegmentedControl } from '@mantine/core'
import type { ValueFieldProps } from './value-field.ts'

/** true or false, and "no value" where that is offered. */
export function BooleanInput(props: ValueFieldProps) {
  const { label, value, onChange, description, error, is_read_only = false, null_label } = props
  const choices = [
    { value: 'true', label: 'true' },
    { value: 'false', label: 'false' },
    ...(null_label === undefined && value !== null
      ? []
      : [{ value: 'null', label: null_label ?? 'no value' }]),
  ]
  return (
    <div>
      {!props.is_label_hidden && (
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
        readOnly={is_read_only}
        disabled={is_read_only}
        size="sm"
      />
      {error !== undefined && <Input.Error mt={4}>{error}</Input.Error>}
    </div>
  )
}
