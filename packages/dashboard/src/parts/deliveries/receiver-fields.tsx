import { Switch, TextInput } from '@mantine/core'

interface AddressFieldProps {
  readonly label: string
  readonly description: string
  readonly value: string
  readonly placeholder: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

/** The address that a webhook or chat alert posts to. */
export const AddressField = ({
  label,
  description,
  value,
  placeholder,
  error,
  onChange,
}: AddressFieldProps) => (
  <TextInput
    label={label}
    description={description}
    placeholder={placeholder}
    type="url"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
    autoComplete="off"
    spellCheck={false}
  />
)

interface EnabledFieldProps {
  /** `webhook`, `chat`. */
  readonly noun: string
  readonly isEnabled: boolean
  readonly onChange: (isEnabled: boolean) => void
}

export const EnabledField = ({ noun, isEnabled, onChange }: EnabledFieldProps) => (
  <Switch
    label="Enabled"
    description={`A disabled ${noun} receives no events. Events of that time are not sent later.`}
    checked={isEnabled}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)
