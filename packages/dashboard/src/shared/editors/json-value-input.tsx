import type { JsonValue } from '@burgee/evaluation'
import { useReportProblem } from './input-problems.tsx'
import { JsonEditor } from './json-editor.tsx'
import { describeMistake, parseJson } from './parse-json.ts'
import { useEditedText } from './use-edited-text.ts'
import { NO_VALUE, type ValueFieldProps } from './value-field.ts'

const HEIGHT_MAX_PX = 300

/** Any JSON value; an empty field, like `null`, is no value. */
export function JsonValueInput(props: ValueFieldProps) {
  const { label, value, onChange, description, error, isReadOnly = false, nullLabel = NO_VALUE } = props
  const { text, setText, problem } = useEditedText({ value, onChange, show: formatJson, read: readJson })
  const id = useReportProblem(label, problem)
  const parsed = problem === undefined ? undefined : parseJson(text)
  return (
    <JsonEditor
      id={id}
      label={label}
      isLabelHidden={props.isLabelHidden ?? false}
      value={text}
      onChange={setText}
      height={HEIGHT_MAX_PX}
      isGrowing
      description={description}
      placeholder={nullLabel}
      error={problem ?? error}
      markedLine={parsed?.isValid === false ? parsed.mistake.line : undefined}
      isReadOnly={isReadOnly}
    />
  )
}

const formatJson = (value: JsonValue): string => (value === null ? '' : JSON.stringify(value, null, 2))

function readJson(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  if (text.trim() === '') return { value: null }
  const parsed = parseJson(text)
  return parsed.isValid ? { value: parsed.value } : { problem: describeMistake(parsed.mistake) }
}
