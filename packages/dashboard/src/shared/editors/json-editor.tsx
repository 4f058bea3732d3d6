import { JsonInput } from '@mantine/core'

export interface JsonEditorProps {
  readonly label: string
  /** JSON text, which may be unfinished. */
  readonly value: string
  readonly onChange: (text: string) => void
  readonly error?: string | undefined
  readonly is_read_only?: boolean
  /** Of the visible part, in pixels. */
  readonly height?: number
}

/** JSON with highlighting and the place of a mistake. */
export function JsonEditor({ label, value, onChange, error, is_read_only }: JsonEditorProps) {
  return (
    <JsonInput
      label={label}
      value={value}
      onChange={onChange}
      error={error}
      readOnly={is_read_only}
      autosize
    />
  )
}
