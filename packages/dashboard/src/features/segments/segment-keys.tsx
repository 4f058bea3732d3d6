import { Paper, SimpleGrid, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { joinLines, mayBeLines, splitLines } from '../../parts/rules/value-lines.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import type { SegmentDraft } from './segment-draft.ts'

interface SegmentKeysProps {
  readonly draft: SegmentDraft
  readonly onChange: (changes: Partial<SegmentDraft>) => void
  readonly problems: Readonly<Record<string, string>>
  readonly isLocked: boolean
}

/** The user keys that are in the segment or not, whatever its rules are. */
export function SegmentKeys({ draft, onChange, problems, isLocked }: SegmentKeysProps) {
  const both = draft.included_keys.filter((key) => draft.excluded_keys.includes(key)).length
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5">
        User keys
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Included users are in the segment. Excluded ones are not, unless they are included as well. The rules
        decide for all others.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <KeyLines
          label="Included"
          keys={draft.included_keys}
          onChange={(included_keys) => onChange({ included_keys })}
          error={problems['/included_keys']}
          isLocked={isLocked}
        />
        <KeyLines
          label="Excluded"
          keys={draft.excluded_keys}
          onChange={(excluded_keys) => onChange({ excluded_keys })}
          error={problems['/excluded_keys']}
          isLocked={isLocked}
        />
      </SimpleGrid>
      {both > 0 && (
        <Text size="sm" mt="xs" role="status">
          {both.toLocaleString('en')} of them {both === 1 ? 'is' : 'are'} in both lists and therefore
          included.
        </Text>
      )}
    </Paper>
  )
}

interface KeyLinesProps {
  readonly label: string
  readonly keys: readonly string[]
  readonly onChange: (keys: string[]) => void
  readonly error: string | undefined
  readonly isLocked: boolean
}

const ROWS = { min: 3, max: 12 }
const SEPARATORS = /[\n\r,;\t]+/

/** One key on each line; a pasted list with commas, semicolons or tabs becomes lines. */
function KeyLines({ label, keys, onChange, error, isLocked }: KeyLinesProps) {
  const [text, setText] = useState(joinLines(keys))
  // A key that is empty or has a line break cannot be a line; the API changes such lists.
  const isText = mayBeLines(keys)
  // Keys that come from elsewhere, such as another person's change, replace what was typed.
  if (joinLines(splitLines(text)) !== joinLines(keys)) setText(joinLines(keys))
  const change = (next: string) => {
    setText(next)
    onChange(splitLines(next))
  }
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const repeated = lines.length - keys.length
  const count = countOf(keys.length, 'key')
  return (
    <Textarea
      label={label}
      description={describeCount(count, isText ? repeated : 0, isText)}
      placeholder="One key on each line, or paste a list"
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text')
        if (!SEPARATORS.test(pasted)) return
        event.preventDefault()
        const more = pasted.split(SEPARATORS).map((key) => key.trim())
        change(joinLines([...lines, ...more.filter((key) => key !== '')]))
      }}
      autosize
      minRows={ROWS.min}
      maxRows={ROWS.max}
      error={error}
      readOnly={isLocked || !isText}
      spellCheck={false}
    />
  )
}

function describeCount(count: string, repeated: number, isText: boolean): string {
  if (!isText) return `${count}; some are not one line, so only the API can change them`
  return repeated > 0 ? `${count}, ${repeated.toLocaleString('en')} repeated` : count
}
