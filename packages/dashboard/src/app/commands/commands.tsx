import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { Palette } from './palette.tsx'
import { useShortcuts } from './use-shortcuts.ts'

// The palette is part of the entry: the keys after Ctrl-K are typed before any code could be loaded.
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

/**
 * The view that is open over the page: the palette with everything or only environments, the list of
 * shortcuts, or nothing.
 */
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
    isSuspended: view !== null,
    onList: () => onView('shortcuts'),
    onPalette: () => onView('palette'),
    onEnvironments: () => onView('environments'),
  })
  return (
    <>
      {(view === 'palette' || view === 'environments') && (
        <Palette
          isForEnvironments={view === 'environments'}
          onClose={close}
          onShortcuts={() => onView('shortcuts')}
        />
      )}
      <Suspense>{view === 'shortcuts' && <ShortcutList onClose={close} />}</Suspense>
    </>
  )
}

/** The palette does not open over a dialog that waits for a decision. */
const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null
