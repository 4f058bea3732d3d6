import { Anchor, Button, Group } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../shared/api/api-error.ts'
import { asSentence } from '../../../shared/api/plain-text.ts'
import { JsonEditor } from '../../../shared/editors/json-editor.tsx'
import { describeMistake, parseJson } from '../../../shared/editors/parse-json.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { setFields } from './draft.ts'
import { previewDraft } from './preview-draft.ts'
import type { FlagDraft } from './use-flag-draft.ts'

const HEIGHT_PX = 320
const PAUSE_MS = 400
const FIRST_SCHEMA = '{\n  "type": "object"\n}'

/** The JSON Schema of the values of a json flag. Closed for flags without one. */
export function ValueSchema({ editor }: { readonly editor: FlagDraft }) {
  const { draft, edit, locked } = editor
  const stored = draft.value_schema === undefined ? null : JSON.stringify(draft.value_schema, null, 2)
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? stored
  const parsed = text === null ? null : parseJson(text)
  const problem = useSchemaProblem(editor)
  if (draft.flag_type !== 'json') return null
  if (text === null) {
    if (locked !== undefined) return null
    return (
      <Anchor
        component="button"
        type="button"
        size="xs"
        c="dimmed"
        w="fit-content"
        onClick={() => change(FIRST_SCHEMA)}
      >
        Check values with a JSON Schema
      </Anchor>
    )
  }

  function change(next: string) {
    setTyped(next)
    const read = parseJson(next)
    if (!read.isValid) return
    const { value } = read
    if (typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value)))
      edit({ value_schema: value })
  }

  return (
    <div>
      <JsonEditor
        label="Schema of values"
        description="A JSON Schema that every value of the flag must fit."
        value={text}
        onChange={change}
        height={HEIGHT_PX}
        isGrowing
        error={parsed?.isValid === false ? describeMistake(parsed.mistake) : problem}
        markedLine={parsed?.isValid === false ? parsed.mistake.line : undefined}
        isReadOnly={locked !== undefined}
      />
      {locked === undefined && (
        <Group justify="flex-end" mt={4}>
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => {
              setTyped(null)
              edit({ value_schema: undefined })
            }}
          >
            Remove the schema
          </Button>
        </Group>
      )}
    </div>
  )
}

/** The server's first problem with the schema, or with a value by it, a moment after the last keystroke. */
function useSchemaProblem({ base, draft, locked }: FlagDraft): string | undefined {
  const { environment_id } = useScope()
  const [settled] = useDebouncedValue(draft, PAUSE_MS)
  const { error } = useQuery({
    queryKey: ['previewFlag', environment_id, base.key, settled],
    queryFn: ({ signal }) => previewDraft(environment_id, base.key, setFields(settled), signal),
    enabled: settled === draft && draft.value_schema !== undefined && locked === undefined,
    gcTime: 0,
    retry: false,
  })
  if (!(error instanceof ApiError) || error.status !== 422) return undefined
  const detail = error.details.find(
    ({ path, message }) => path.startsWith('/value_schema') || message.includes('value_schema'),
  )
  return detail && asSentence(`${detail.path} ${detail.message}`)
}
