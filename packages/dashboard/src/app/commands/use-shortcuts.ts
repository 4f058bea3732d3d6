import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ENVIRONMENT_PAGES, PROJECT_PAGES } from '../frame/pages.tsx'
import { useWorkplace } from '../frame/use-workplace.ts'
import { type Prefix, readShortcut, type Shortcut } from './shortcut.ts'

interface Openers {
  onList(): void
  onPalette(): void
  onEnvironments(): void
}

/** Listens for the shortcuts of every page, but never while somebody types. */
export function useShortcuts(openers: Openers): void {
  const navigate = useNavigate()
  const { project_id, environment_id } = useWorkplace()
  const act = ({ kind, ...shortcut }: Shortcut): boolean => {
    if (kind === 'list') openers.onList()
    if (kind === 'environment') openers.onEnvironments()
    if (kind === 'search' && !focusSearch()) openers.onPalette()
    return kind !== 'go' || ('key' in shortcut && goTo(shortcut.key))
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
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Shift' || isTyping(event.target)) return
      const reading = readShortcut(prefix.current, event.key, event.timeStamp)
      prefix.current = reading.prefix
      if (reading.shortcut && latest.current(reading.shortcut)) event.preventDefault()
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

/** Whether a key belongs to what has the focus, or to an open dialog, rather than to the page. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('[aria-modal="true"]')) return true
  if (!(target instanceof Element)) return false
  if (target.matches('input[type="checkbox"], input[type="radio"]')) return false
  return target.closest(`${FIELDS}, ${LETTER_EATERS}`) !== null
}
