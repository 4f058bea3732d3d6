import { Group, Stack, Text } from '@mantine/core'
import { ValueInput } from '../../../../shared/editors/value-input.tsx'
import type { FieldErrors } from '../../../../shared/forms/field-errors.ts'
import type { NewFlag } from './use-new-flag.ts'

interface NewFlagValuesProps {
  readonly draft: NewFlag
  readonly onChange: (changes: Partial<NewFlag>) => void
  readonly errors: FieldErrors
}

/** The values of the flag when it is on and when it is off. Boolean flags give true and false. */
export function NewFlagValues({ draft, onChange, errors }: NewFlagValuesProps) {
  const { default_value, disabled_value, flag_type } = draft
  if (flag_type === 'boolean') {
    return (
      <Text size="sm" c="dimmed">
        Gives <b>true</b> to those who get it and <b>false</b> to everyone else.
      </Text>
    )
  }
  const on = (
    <ValueInput
      key={`on ${flag_type}`}
      label="Value when on"
      flag_type={flag_type}
      value={default_value}
      onChange={(value) => onChange({ default_value: value })}
      error={errors.default_value}
    />
  )
  const off = (
    <ValueInput
      key={`off ${flag_type}`}
      label="Value when off"
      flag_type={flag_type}
      value={disabled_value}
      onChange={(value) => onChange({ disabled_value: value })}
      error={errors.disabled_value}
    />
  )
  if (flag_type === 'json') {
    return (
      <Stack gap="md">
        {on}
        {off}
      </Stack>
    )
  }
  return (
    <Group grow align="flex-start">
      {on}
      {off}
    </Group>
  )
}
