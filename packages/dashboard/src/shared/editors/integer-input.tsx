import type { JsonValue } from '@burgee/evaluation'
import { TextInput } from '@mantine/core'
import { useReportProblem } from './input-problems.tsx'
import { useEditedText } from './use-edited-text.ts'
import { labelFields, NO_VALUE, type ValueFieldProps } from './value-field.ts'

/** A whole number; an empty field is no value. */
export function IntegerInput(props: ValueFieldProps) {
  const { label, value, onChange, description, error, isReadOnly = false, nullLabel = NO_VALUE } = props
  const { text, setText, problem } = useEditedText({
    value,
    onChange,
    show: formatInteger,
    read: readInteger,
  })
  const id = useReportProblem(label, problem)
  return (
    <TextInput
      {...labelFields(props)}
      id={id}
      inputMode="numeric"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      placeholder={nullLabel}
      description={description}
      error={problem ?? error}
      readOnly={isReadOnly}
      autoComplete="off"
    />
  )
}

const formatInteger = (value: JsonValue): string => (value === null ? '' : JSON.stringify(value))

function readInteger(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  if (!/^[+-]?\d+$/.test(trimmed)) return { problem: 'This must be a whole number, such as 40.' }
  const value = Number(trimmed)
  if (!Number.isSafeInteger(value))
    return { problem: 'This number is too large to be exact in JSON (2^53 - 1).' }
  return { value: value === 0 ? 0 : value }
}
