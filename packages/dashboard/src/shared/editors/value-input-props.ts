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
  /** The meaning of null here, in a few words. A boolean has no such choice unless this is given. */
  readonly nullLabel?: string
  /** True if the label is elsewhere: it stays for screen readers. */
  readonly isLabelHidden?: boolean
}
