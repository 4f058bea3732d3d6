import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, EditorView, type Extension } from '@uiw/react-codemirror'
import { useEffect, useRef } from 'react'
import { CSP_NONCE } from '../csp-nonce.ts'
import { mergeTheme } from './merge-theme.ts'
import classes from './merged-text.module.css'

interface MergedTextProps {
  readonly before: string
  readonly after: string
  readonly isSideBySide: boolean
}

const UNCHANGED = { margin: 3, minSize: 6 }
/** A difference of large texts is found coarsely rather than late. */
const DIFF = { scanLimit: 1_000, timeout: 150 }

/** Two texts with what differs between them marked, for reading only. */
export function MergedText({ before, after, isSideBySide }: MergedTextProps) {
  const parent = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!parent.current) return
    const show = isSideBySide ? showBeside : showUnified
    const view = show(parent.current, { before, after })
    return () => view.destroy()
  }, [before, after, isSideBySide])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className={classes.merged} ref={parent} tabIndex={0} aria-label="JSON before and after" />
  )
}

type Texts = Readonly<Record<'before' | 'after', string>>

function showBeside(parent: Element, { before, after }: Texts): { destroy(): void } {
  return new MergeView({
    parent,
    a: { doc: before, extensions: readOnly('JSON before') },
    b: { doc: after, extensions: readOnly('JSON after') },
    collapseUnchanged: UNCHANGED,
    diffConfig: DIFF,
    gutter: true,
  })
}

function showUnified(parent: Element, { before, after }: Texts): { destroy(): void } {
  const merge = unifiedMergeView({
    original: before,
    mergeControls: false,
    collapseUnchanged: UNCHANGED,
    diffConfig: DIFF,
    allowInlineDiffs: false,
  })
  return new EditorView({ parent, doc: after, extensions: [readOnly('JSON with the changes marked'), merge] })
}

const readOnly = (label: string): Extension => [
  EditorView.cspNonce.of(CSP_NONCE),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.lineWrapping,
  mergeTheme,
  EditorView.contentAttributes.of({ 'aria-label': label }),
]
