import { deepEqual, type JsonValue } from '@burgee/evaluation'
import { useState } from 'react'

interface EditedTextOptions {
  readonly value: JsonValue
  readonly onChange: (value: JsonValue) => void
  readonly show: (value: JsonValue) => string
  readonly read: (text: string) => { readonly value: JsonValue } | { readonly problem: string }
}

/**
 * The text of a field whose value is not always a text. Typed text stays as it was typed; a value that comes
 * from elsewhere takes its place.
 */
export function useEditedText({ value, onChange, show, read }: EditedTextOptions) {
  const [edited, setEdited] = useState({ text: show(value), value })
  if (!deepEqual(edited.value, value)) setEdited({ text: show(value), value })
  const reading = read(edited.text)
  const setText = (text: string) => {
    const next = read(text)
    if ('problem' in next) return setEdited({ text, value })
    setEdited({ text, value: next.value })
    if (!deepEqual(next.value, value)) onChange(next.value)
  }
  return { text: edited.text, setText, problem: 'problem' in reading ? reading.problem : undefined }
}
