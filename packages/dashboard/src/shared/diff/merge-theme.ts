import { EditorView } from '@uiw/react-codemirror'

/**
 * Replaces the diff's own colors, which are too pale to distinguish texts; the variables are in the CSS
 * module.
 */
export const mergeTheme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none' },
  '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)' },
  '&.cm-merge-b .cm-changedLine, &.cm-merge-b .cm-insertedLine': { backgroundColor: 'var(--added)' },
  '&.cm-merge-a .cm-changedLine, &.cm-merge-b .cm-deletedChunk': { backgroundColor: 'var(--removed)' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--added-strong)' },
  '&.cm-merge-a .cm-changedText, &.cm-merge-b .cm-deletedChunk .cm-deletedText': {
    background: 'var(--removed-strong)',
  },
  '.cm-deletedLine del, .cm-insertedLine ins': { textDecoration: 'none' },
  '& .cm-collapsedLines': {
    background: 'var(--burgee-ground)',
    color: 'var(--mantine-color-dimmed)',
    fontFamily: 'var(--mantine-font-family)',
    padding: '4px 10px',
  },
  // The sign of the library is in few fonts.
  '& .cm-collapsedLines:before, & .cm-collapsedLines:after': { content: '"⋯"' },
})
