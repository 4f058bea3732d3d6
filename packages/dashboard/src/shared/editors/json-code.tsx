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
  readonly is_growing?: boolean
  readonly is_read_only?: boolean
  readonly placeholder?: string | undefined
  readonly is_wrong: boolean
  readonly marked_line?: number | undefined
  readonly described_by?: string | undefined
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
  is_growing = false,
  is_read_only = false,
  placeholder = '',
  is_wrong,
  marked_line,
  described_by,
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
        ...(is_wrong && { 'aria-invalid': 'true' }),
        ...(described_by !== undefined && { 'aria-describedby': described_by }),
      }),
      markLine(marked_line),
    ],
    [label, is_wrong, described_by, marked_line],
  )
  return (
    <CodeMirror
      className={classes.code}
      data-wrong={is_wrong || undefined}
      value={value}
      onChange={onChange}
      {...(is_growing ? { maxHeight: `${height}px` } : { height: `${height}px` })}
      placeholder={placeholder}
      theme={scheme}
      readOnly={is_read_only}
      basicSetup={is_growing ? SMALL_SETUP : SETUP}
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
