import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useShortcuts } from './use-shortcuts.ts'

// Loaded when they are first asked for.
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

/** What lies over the page: the palette with everything or only environments, the list of shortcuts, or nothing. */
export type CommandView = 'palette' | 'environments' | 'shortcuts' | null

interface CommandsProps {
  readonly view: CommandView
  readonly onView: (view: CommandView) => void
}

/** The command palette (Ctrl-K, Cmd-K) and the keyboard shortcuts of every page. */
export function Commands({ view, onView }: CommandsProps) {
  const close = () => onView(null)
  useHotkeys([['mod+K', () => (view === null ? !isDialogOpen() && onView('palette') : close())]], [])
  useShortcuts({
    onList: () => onView('shortcuts'),
    onPalette: () => onView('palette'),
    onEnvironments: () => onView('environments'),
  })
  return (
    <Suspense>
      {(view === 'palette' || view === 'environments') && (
        <Palette
          isForEnvironments={view === 'environments'}
          onClose={close}
          onShortcuts={() => onView('shortcuts')}
        />
      )}
      {view === 'shortcuts' && <ShortcutList onClose={close} />}
    </Suspense>
  )
}

/** The palette does not open over a question that waits for its answer. */
const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null
