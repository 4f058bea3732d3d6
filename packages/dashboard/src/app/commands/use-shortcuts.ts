import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { ENVIRONMENT_PAGES, PROJECT_PAGES } from '../frame/pages.tsx'
import { useWorkplace } from '../frame/use-workplace.ts'
import { type Prefix, readShortcut, type Shortcut } from './shortcut.ts'

interface ShortcutOptions {
  /** While the palette or the list of shortcuts is open, loaded or not. */
  readonly isSuspended: boolean
  onList(): void
  onPalette(): void
  onEnvironments(): void
}

/** Listens for the shortcuts of every page, except in fields and while anything is open over the page. */
export function useShortcuts({ isSuspended, ...openers }: ShortcutOptions): void {
  const navigate = useNavigate()
  const { project_id, environment_id } = useWorkplace()
  const mayCreate = usePermissions(project_id)('putFlag').isAllowed
  const act = ({ kind, ...shortcut }: Shortcut): boolean => {
    if (kind === 'list') openers.onList()
    if (kind === 'environment') openers.onEnvironments()
    if (kind === 'search' && !focusSearch()) openers.onPalette()
    if (kind === 'create') return createFlag()
    return kind !== 'go' || ('key' in shortcut && goTo(shortcut.key))
  }
  function createFlag(): boolean {
    if (environment_id === '' || !mayCreate) return false
    void navigate({
      to: '/projects/$project_id/environments/$environment_id/flags',
      params: { project_id, environment_id },
      search: { new: 'flag' },
    })
    return true
  }
  function goTo(key: string): boolean {
    const page = ENVIRONMENT_PAGES.find(({ shortcut }) => shortcut === key)
    if (page && environment_id !== '') {
      const to = `/projects/$project_id/environments/$environment_id/${page.to}` as const
      void navigate({ to, params: { project_id, environment_id } })
      return true
    }
    const ofProject = PROJECT_PAGES.find(({ shortcut }) => shortcut === key)
    if (!ofProject || project_id === '') return false
    void navigate({ to: `/projects/$project_id/${ofProject.to}`, params: { project_id } })
    return true
  }
  const prefix = useRef<Prefix | null>(null)
  const latest = useRef({ act, isSuspended })
  latest.current = { act, isSuspended }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Shift') return
      if (latest.current.isSuspended || isAnythingOpen() || isTyping(event.target)) {
        prefix.current = null
        return
      }
      const reading = readShortcut(prefix.current, event.key, event.timeStamp)
      prefix.current = reading.prefix
      if (reading.shortcut && latest.current.act(reading.shortcut)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** The page's own search; false where it has none. */
function focusSearch(): boolean {
  const field = document.querySelector('[data-page-search]')
  const input = field instanceof HTMLInputElement ? field : (field?.querySelector('input') ?? null)
  input?.focus()
  input?.select()
  return input !== null
}

const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="textbox"]'
/** Lists and menus find their entries by letters. */
const LETTER_EATERS = '[role="menu"], [role="listbox"], [role="combobox"]'

/** True if a key belongs to the focused element rather than to the page. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.matches('input[type="checkbox"], input[type="radio"]')) return false
  return target.closest(`${FIELDS}, ${LETTER_EATERS}`) !== null
}

const OVERLAYS = '[aria-modal="true"], [role="dialog"], [role="menu"], [role="listbox"]'

/** True if a dialog, a menu or a list of choices is over the page. */
const isAnythingOpen = (): boolean =>
  [...document.querySelectorAll(OVERLAYS)].some((overlay) => overlay.checkVisibility())
