import type { FlagType, JsonValue } from '@burgee/evaluation'

export interface ValueInputProps {
  readonly label: string
  readonly flag_type: FlagType
  /** null: no value, the code's own default counts. */
  readonly value: JsonValue
  readonly onChange: (value: JsonValue) => void
  readonly description?: string
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
  /** What null means here, in a few words. A boolean has no such choice unless this is given. */
  readonly nullLabel?: string
  /** Where the label is said already: it stays for screen readers. */
  readonly isLabelHidden?: boolean
}
