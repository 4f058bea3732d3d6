import { json } from '@codemirror/lang-json'
import { useComputedColorScheme } from '@mantine/core'
import CodeMirror, { Decoration, EditorView, type Extension } from '@uiw/react-codemirror'
import { useMemo } from 'react'
import { CSP_NONCE } from '../csp-nonce.ts'
import classes from './json-code.module.css'

interface JsonCodeProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly height: number
  readonly isGrowing?: boolean
  readonly isReadOnly?: boolean
  readonly placeholder?: string | undefined
  readonly isWrong: boolean
  readonly markedLine?: number | undefined
  readonly describedBy?: string | undefined
}

const SETUP = { foldGutter: false, highlightActiveLine: false, highlightActiveLineGutter: false }
/** Numbers beside three lines are noise. */
const SMALL_SETUP = { ...SETUP, lineNumbers: false }

/** The code editor itself: large, so it is loaded when it is first shown. */
export function JsonCode({
  label,
  value,
  onChange,
  height,
  isGrowing = false,
  isReadOnly = false,
  placeholder = '',
  isWrong,
  markedLine,
  describedBy,
}: JsonCodeProps) {
  const scheme = useComputedColorScheme('light')
  const extensions = useMemo(
    () => [
      json(),
      EditorView.lineWrapping,
      EditorView.cspNonce.of(CSP_NONCE),
      LOOK,
      EditorView.contentAttributes.of({
        'aria-label': label,
        tabindex: '0',
        ...(isWrong && { 'aria-invalid': 'true' }),
        ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
      }),
      markLine(markedLine),
    ],
    [label, isWrong, describedBy, markedLine],
  )
  return (
    <CodeMirror
      className={classes.code}
      data-wrong={isWrong || undefined}
      value={value}
      onChange={onChange}
      {...(isGrowing ? { maxHeight: `${height}px` } : { height: `${height}px` })}
      placeholder={placeholder}
      theme={scheme}
      readOnly={isReadOnly}
      basicSetup={isGrowing ? SMALL_SETUP : SETUP}
      // Tab goes to the next field, as everywhere.
      indentWithTab={false}
      extensions={extensions}
    />
  )
}

const LOOK = EditorView.theme({
  '&': { backgroundColor: 'transparent', fontSize: 'var(--mantine-font-size-sm)' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--mantine-color-dimmed)' },
  '.cm-content, .cm-gutter': { fontFamily: 'var(--mantine-font-family-monospace)' },
  '.cm-content': { minHeight: '34px', padding: '7px 4px' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)', fontFamily: 'var(--mantine-font-family)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-marked': { backgroundColor: 'var(--mantine-color-red-light)' },
})

const MARK = Decoration.line({ class: 'cm-marked' })

function markLine(line: number | undefined): Extension {
  if (line === undefined) return []
  return EditorView.decorations.of(({ state: { doc } }) =>
    Decoration.set(line <= doc.lines ? [MARK.range(doc.line(line).from)] : []),
  )
}
