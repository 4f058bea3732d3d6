import { TextInput } from '@mantine/core'

interface NameFieldProps {
  readonly value: string
  readonly placeholder?: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

/** The name of what a dialog creates or edits: its first field, which has the focus. */
export const NameField = ({ value, placeholder, error, onChange }: NameFieldProps) => (
  <TextInput
    label="Name"
    placeholder={placeholder}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
    autoComplete="off"
    data-autofocus
  />
)
