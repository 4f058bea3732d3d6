import { TextInput } from '@mantine/core'

interface TypedKeyProps {
  /** The text that has to be typed. */
  readonly expected: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The field of a dialog that is not to be confirmed by a slip. */
export function TypedKey({ expected, value, onChange }: TypedKeyProps) {
  return (
    <TextInput
      label={
        <>
          Type <b>{expected}</b> to confirm
        </>
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
    />
  )
}
