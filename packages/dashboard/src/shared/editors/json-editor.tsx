import { Input, Skeleton } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'

export interface JsonEditorProps {
  readonly label: string
  /** JSON text, which may be unfinished. */
  readonly value: string
  readonly onChange: (text: string) => void
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
  /** The height of the visible part, in pixels. */
  readonly height?: number
  /** As high as its text, up to `height`. */
  readonly isGrowing?: boolean
  /** Shown while the text is empty. */
  readonly placeholder?: string | undefined
  readonly description?: string | undefined
  /** The number of a line to be marked, from 1. */
  readonly markedLine?: number | undefined
  /** True if the label is elsewhere: it stays for screen readers. */
  readonly isLabelHidden?: boolean
  /** The id of the whole field. */
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
  isLabelHidden = false,
  isGrowing = false,
  id,
  ...code
}: JsonEditorProps) {
  const hintId = useId()
  return (
    <div id={id}>
      {!isLabelHidden && (
        <Input.Label component="div" size="sm" display="block">
          {label}
        </Input.Label>
      )}
      {description && <Input.Description mb={4}>{description}</Input.Description>}
      <Suspense
        fallback={<Skeleton height={isGrowing ? heightOf(code.value, height) : height} radius="sm" />}
      >
        <JsonCode
          {...code}
          label={label}
          height={height}
          isGrowing={isGrowing}
          isWrong={error !== undefined}
          describedBy={error === undefined ? undefined : hintId}
        />
      </Suspense>
      {error !== undefined && (
        <Input.Error id={hintId} mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}

const LINE_PX = 19.6
const FRAME_PX = 16

/** About what the editor will take, so that nothing moves when it is there. */
const heightOf = (text: string, heightMax: number): number =>
  Math.min(text.split('\n').length * LINE_PX + FRAME_PX, heightMax)
