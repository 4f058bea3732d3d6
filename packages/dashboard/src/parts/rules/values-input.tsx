import { Anchor, Group, TagsInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { joinLines, mayBeLines, splitLines } from './value-lines.ts'

interface ValuesInputProps {
  readonly label: string
  readonly values: readonly string[]
  readonly onChange: (values: string[]) => void
  readonly error?: string | undefined
  readonly isReadOnly: boolean
  readonly isNumeric: boolean
}

/** With more of them a text is quicker, for the page and for the person. */
const TAGS_MAX = 60
const ROWS_MAX = 12

/** The values of a test: as tags, or one on each line, where a value may hold a comma. */
export function ValuesInput(props: ValuesInputProps) {
  const { label, values, onChange, error, isReadOnly, isNumeric } = props
  const [wantsLines, setWantsLines] = useState(false)
  // Once it is a text it stays one, also when so many lines are deleted that tags would do.
  if (!wantsLines && values.length > TAGS_MAX) setWantsLines(true)
  const isText = wantsLines && mayBeLines(values)
  return (
    <div>
      {isText ? (
        <ValueLines {...props} />
      ) : (
        <TagsInput
          label={label}
          value={[...values]}
          onChange={onChange}
          error={error}
          readOnly={isReadOnly}
          placeholder={placeholderOf(values.length, isNumeric)}
          splitChars={SPLIT_CHARS}
          // Evaluation is case-sensitive: NO is not no.
          isDuplicate={(value, known) => known.includes(value)}
          comboboxProps={{ disabled: true }}
        />
      )}
      {!isReadOnly && values.length <= TAGS_MAX && mayBeLines(values) && (
        <Group justify="flex-end" mt={2}>
          <Anchor
            component="button"
            type="button"
            size="xs"
            c="dimmed"
            onClick={() => setWantsLines(!wantsLines)}
          >
            {wantsLines ? 'As tags' : 'One per line'}
          </Anchor>
        </Group>
      )}
    </div>
  )
}

const SPLIT_CHARS = [',', '\n', '\r', '\t']

function placeholderOf(count: number, isNumeric: boolean): string {
  if (count > 0) return 'Another'
  return isNumeric ? 'A number, such as 3.2' : 'Type a value, or paste a list'
}

function ValueLines({ label, values, onChange, error, isReadOnly }: ValuesInputProps) {
  const [text, setText] = useState(joinLines(values))
  // Values that come from elsewhere, such as another person's change, replace what was typed.
  if (joinLines(splitLines(text)) !== joinLines(values)) setText(joinLines(values))
  const change = (next: string) => {
    setText(next)
    onChange(splitLines(next))
  }
  return (
    <Textarea
      label={label}
      description={`${values.length.toLocaleString('en')} values, one on each line`}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      error={error}
      readOnly={isReadOnly}
      autosize
      minRows={3}
      maxRows={ROWS_MAX}
      spellCheck={false}
    />
  )
}
