import type { Evaluation, JsonValue } from '@burgee/sdk'
import { element } from './element.ts'
import { createFlagRow, type FlagRow } from './flag-row.ts'
import { PANEL_STYLES } from './panel-styles.ts'

/** The rows that are shown at once. More would make typing slow: the search finds the others. */
const MAX_ROWS = 200

interface PanelContent {
  readonly results: Readonly<Record<string, Evaluation>>
  readonly forcedKeys: ReadonlySet<string>
  /** A line about the connection. */
  readonly status: string
  /** False where the browser cannot store the values: they end with the page. */
  readonly isStored: boolean
}

export interface PanelActions {
  /** Forces a value; undefined releases it. */
  force(flagKey: string, value: JsonValue | undefined): void
  reset(): void
  content(): PanelContent
}

export interface Panel {
  /** The element for the page. */
  readonly host: HTMLElement
  update(): void
  toggle(isOpen?: boolean): void
}

/** Creates the button and the panel, closed. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createPanel({ force, reset, content }: PanelActions): Panel {
  const host = element('burgee-devtools' as 'div')
  const shadow = host.attachShadow({ mode: 'open' })
  const styles = new CSSStyleSheet()
  styles.replaceSync(PANEL_STYLES)
  shadow.adoptedStyleSheets = [styles]

  const open = element('button', { type: 'button', class: 'toggle', 'aria-expanded': 'false' })
  const close = element('button', { type: 'button', 'aria-label': 'Close' }, '✕')
  const search = element('input', {
    type: 'search',
    placeholder: 'Search flags',
    'aria-label': 'Search flags',
  })
  const resetAll = element('button', { type: 'button' }, 'Reset all')
  const notice = element('p', { class: 'notice', role: 'status' })
  const list = element('ul', { 'aria-label': 'Flags' })
  const empty = element('p', { class: 'empty' })
  const status = element('footer')
  const panel = element(
    'section',
    { class: 'panel', role: 'dialog', 'aria-label': 'Burgee flags' },
    element('header', {}, element('h2', {}, 'Burgee flags'), close),
    element('div', { class: 'tools' }, search, resetAll),
    notice,
    list,
    empty,
    status,
  )
  panel.hidden = true
  shadow.append(element('div', { class: 'frame' }, panel, open))

  const rows = new Map<string, FlagRow>()

  function rowOf(flagKey: string): FlagRow {
    const row = rows.get(flagKey) ?? createFlagRow(flagKey, (value) => force(flagKey, value))
    rows.set(flagKey, row)
    return row
  }

  function update(): void {
    const { results, forcedKeys, status: line, isStored } = content()
    const { size } = forcedKeys
    open.textContent = size === 0 ? 'Flags' : `Flags: ${size} forced`
    open.classList.toggle('forced', size > 0)
    if (panel.hidden) return

    notice.hidden = size === 0
    notice.textContent = `${size === 1 ? '1 value is' : `${size} values are`} forced ${
      isStored ? 'in this browser only' : 'until this page is left'
    }. Other users and the server do not see ${size === 1 ? 'it' : 'them'}.`
    resetAll.disabled = size === 0
    status.textContent = line

    const text = search.value.trim().toLowerCase()
    const found = Object.keys(results)
      .filter((key) => key.toLowerCase().includes(text))
      .sort()
    const shown = found.slice(0, MAX_ROWS)
    for (const key of shown) {
      const result = results[key]
      if (result) rowOf(key).update(result, forcedKeys.has(key))
    }
    arrange(shown.map((key) => rowOf(key).root))
    empty.hidden = found.length > 0 && found.length === shown.length
    empty.textContent =
      found.length > shown.length
        ? `${found.length - shown.length} more: search for a part of the key.`
        : text === ''
          ? 'No flags have arrived yet.'
          : 'No flag has this text in its key.'
  }

  /** Moves only what is not in its place, so that the focus stays where it is. */
  function arrange(wanted: readonly HTMLElement[]): void {
    for (const child of [...list.children]) if (!wanted.includes(child as HTMLElement)) child.remove()
    wanted.forEach((root, at) => {
      if (list.children[at] !== root) list.insertBefore(root, list.children[at] ?? null)
    })
  }

  function toggle(isOpen = panel.hidden): void {
    panel.hidden = !isOpen
    open.setAttribute('aria-expanded', String(isOpen))
    update()
    if (isOpen) search.focus()
    else open.focus()
  }

  open.addEventListener('click', () => toggle())
  close.addEventListener('click', () => toggle(false))
  resetAll.addEventListener('click', () => {
    reset()
    search.focus()
  })
  search.addEventListener('input', update)
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    toggle(false)
  })
  update()
  return { host, update, toggle }
}
