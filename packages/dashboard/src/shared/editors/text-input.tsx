import { ActionIcon, Textarea, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { labelFields, NO_VALUE, type ValueFieldProps } from './value-field.ts'

const ROWS_MAX = 8

/** A text, several lines if need be. An empty text is a value; no value is another thing. */
export function TextInput(props: ValueFieldProps) {
  const { label, value, onChange, description, error, isReadOnly = false, nullLabel = NO_VALUE } = props
  // A value of another type shows as it would be written.
  const text = typeof value === 'string' || value === null ? value : JSON.stringify(value)
  return (
    <Textarea
      {...labelFields(props)}
      description={description}
      error={error}
      autosize
      minRows={1}
      maxRows={ROWS_MAX}
      value={text ?? ''}
      placeholder={text === null ? nullLabel : 'Empty text'}
      readOnly={isReadOnly}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        text !== null &&
        !isReadOnly && (
          <Tooltip label={nullLabel}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`${label}: set to no value`}
              onClick={() => onChange(null)}
            >
              <IconX size={14} />
            </ActionIcon>
          </Tooltip>
        )
      }
    />
  )
}
