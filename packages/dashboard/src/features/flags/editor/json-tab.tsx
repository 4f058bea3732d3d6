import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { JsonEditor } from '../../../shared/editors/json-editor.tsx'
import { describeMistake, type ParsedJson, parseJson } from '../../../shared/editors/parse-json.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { draftOf } from './draft.ts'
import { draftText } from './draft-text.ts'
import { applyTyping, isStale, type JsonTyping, typeJson } from './json-typing.ts'
import { previewDraft } from './preview-draft.ts'
import type { FlagDraft } from './use-flag-draft.ts'

interface JsonTabProps {
  readonly editor: FlagDraft
  /** Null where the text is the draft's own. */
  readonly typing: JsonTyping | null
  readonly onChange: (typing: JsonTyping | null) => void
  readonly onReview: () => void
}

const HEIGHT_PX = 520

/** The draft as JSON, to read, copy and change. */
export function JsonTab({ editor, typing, onChange, onReview }: JsonTabProps) {
  const { environment_id } = useScope()
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const ownText = draftText(editor.base.key, editor.draft)
  const parsed = typing && parseJson(typing.text)
  const mistake = parsed && mistakeOf(parsed, editor.base.key)
  const apply = async () => {
    if (!typing || !parsed?.isValid) return
    setBusy(true)
    try {
      const { after } = await previewDraft(environment_id, editor.base.key, parsed.value)
      editor.edit(applyTyping(typing, editor.draft, draftOf(after)))
      onChange(null)
      setFailure(null)
      onReview()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        The flag as the API takes it, with your changes in it. What you leave out takes its default.
      </Text>
      <JsonEditor
        label="Flag as JSON"
        isLabelHidden
        value={typing?.text ?? ownText}
        onChange={(next) => {
          onChange(typeJson(typing, next, { text: ownText, draft: editor.draft }))
          setFailure(null)
        }}
        height={HEIGHT_PX}
        error={mistake ?? undefined}
        markedLine={parsed?.isValid === false ? parsed.mistake.line : undefined}
        isReadOnly={editor.locked !== undefined}
      />
      {typing && isStale(typing, editor.draft) && (
        <Text size="sm" role="status">
          The flag has changed since you began to type. Fields that you left alone stay as they are now; the
          review shows what yours replace.
        </Text>
      )}
      {failure !== null && <Failure title="Not applied" error={failure} />}
      {editor.locked === undefined && (
        <Group gap="xs">
          <Button
            onClick={() => void apply()}
            loading={isBusy}
            disabled={typing === null || mistake !== null}
          >
            Apply and review
          </Button>
          <Button variant="default" disabled={typing === null} onClick={() => onChange(null)}>
            Undo the typing
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function mistakeOf(parsed: ParsedJson, flag_key: string): string | null {
  if (!parsed.isValid) return describeMistake(parsed.mistake)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'A flag is a JSON object: it begins with { and ends with }.'
  }
  if (value.key !== undefined && value.key !== flag_key)
    return `The key cannot change: it stays "${flag_key}".`
  return null
}
