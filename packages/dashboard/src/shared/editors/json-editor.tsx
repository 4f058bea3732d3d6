import { Input, Skeleton } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'

export interface JsonEditorProps {
  readonly label: string
  /** JSON text, which may be unfinished. */
  readonly value: string
  readonly onChange: (text: string) => void
  readonly error?: string | undefined
  readonly is_read_only?: boolean
  /** Of the visible part, in pixels. */
  readonly height?: number
  /** As high as its text, up to `height`. */
  readonly is_growing?: boolean
  /** Shown while the text is empty. */
  readonly placeholder?: string | undefined
  readonly description?: string | undefined
  /** Of a line to be marked, from 1. */
  readonly marked_line?: number | undefined
  /** Where the label is said already: it stays for screen readers. */
  readonly is_label_hidden?: boolean
  /** Of the whole field. */
  readonly id?: string
}

const HEIGHT_PX = 240

const JsonCode = lazy(() => import('./json-code.tsx').then(({ JsonCode }) => ({ default: JsonCode })))

/** JSON with highlighting and the place of a mistake. */
export function JsonEditor({
  label,
  description,
  error,
  height = HEIGHT_PX,
  is_label_hidden = false,
  is_growing = false,
  id,
  ...code
}: JsonEditorProps) {
  const hint_id = useId()
  return (
    <div id={id}>
      {!is_label_hidden && (
        <Input.Label component="div" size="sm" display="block">
          {label}
        </Input.Label>
      )}
      {description && <Input.Description mb={4}>{description}</Input.Description>}
      <Suspense
        fallback={<Skeleton height={is_growing ? heightOf(code.value, height) : height} radius="sm" />}
      >
        <JsonCode
          {...code}
          label={label}
          height={height}
          is_growing={is_growing}
          is_wrong={error !== undefined}
          described_by={error === undefined ? undefined : hint_id}
        />
      </Suspense>
      {error !== undefined && (
        <Input.Error id={hint_id} mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}

const LINE_PX = 19.6
const FRAME_PX = 16

/** About what the editor will take, so that nothing moves when it is there. */
const heightOf = (text: string, height_max: number): number =>
  Math.min(text.split('\n').length * LINE_PX + FRAME_PX, height_max)
