import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cursorAfter } from './cursor-after.ts'

interface CursorOptions {
  readonly keys: readonly string[]
  readonly scrollTo: (index: number) => void
  /** The row of the first step as long as no row is the current one. */
  readonly firstInSight: () => number
  readonly onToggleSelected: (key: string) => void
  readonly onOpen: (key: string) => void
}

/** The cell that takes the focus within a row, by its `data-cell`. */
const HOME_CELL = 'name'

/**
 * One row of the list is the current one. Tab reaches only its controls. The arrow keys (or j and k, from
 * anywhere on the page that is no field) move it. Space turns its flag on or off, x selects it, Enter opens
 * it.
 */
export function useListCursor({ keys, scrollTo, firstInSight, onToggleSelected, onOpen }: CursorOptions) {
  const grid = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const focusedCell = useRef<string | null>(null)
  const found = current === null ? -1 : keys.indexOf(current)
  const index = Math.max(0, found)

  const moveTo = (to: number, cell = HOME_CELL) => {
    const key = keys[to]
    if (key === undefined) return
    scrollTo(to)
    focusedCell.current = cell
    if (key === current) focusCell()
    else setCurrent(key)
  }

  const focusCell = () => {
    if (focusedCell.current === null) return
    const row = grid.current?.querySelector(`[data-index="${index}"]`)
    focusWithin(row?.querySelector(`[data-cell="${focusedCell.current}"]`))
    focusedCell.current = null
  }
  // The row may only be drawn now that it is the current one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each move
  useLayoutEffect(focusCell, [current])

  const onKey = (event: KeyboardEvent | globalThis.KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const from = document.activeElement
    const cell = from?.closest<HTMLElement>('[data-cell]')
    const isInside = cell !== null && cell !== undefined && grid.current?.contains(cell) === true
    const key = keys[index]
    const start = isInside || found >= 0 ? index : firstInSight() - 1
    const to = cursorAfter(event.key, { index: start, count: keys.length })
    if (to !== null) moveTo(to, isInside ? cell.dataset.cell : HOME_CELL)
    else if (event.key === ' ' && isInside && from instanceof HTMLAnchorElement) switchRow(cell)
    else if (event.key === 'x' && isInside && key !== undefined) onToggleSelected(key)
    else if (event.key === 'Enter' && isInside && key !== undefined && !(from instanceof HTMLAnchorElement)) {
      onOpen(key)
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      if (!isInside || !moveSideways(cell, event.key === 'ArrowRight' ? 1 : -1)) return
    } else return
    event.preventDefault()
  }

  useKeysOfThePage(grid, onKey)
  return {
    grid,
    index,
    // The keys of what is drawn in a portal, such as the question of a switch, bubble to the rows as well.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target instanceof Node && grid.current?.contains(event.target)) onKey(event)
    },
    onFocusRow: (key: string) => setCurrent(key),
    /** From the search into the list. */
    enter: () => moveTo(index),
  }
}

/** Handles j and k when nothing has the focus. The arrow keys scroll the page then, as they do everywhere. */
function useKeysOfThePage(
  grid: React.RefObject<HTMLElement | null>,
  onKey: (event: globalThis.KeyboardEvent) => void,
): void {
  const latest = useRef(onKey)
  useEffect(() => {
    latest.current = onKey
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const { target } = event
      const isFree = target === document.body || (target instanceof Element && target.id === 'content')
      if (isFree && grid.current && (event.key === 'j' || event.key === 'k')) latest.current(event)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [grid])
}

/** Moves to the next cell of the row that can have the focus; false if there is none. */
function moveSideways(cell: HTMLElement, step: 1 | -1): boolean {
  const cells = [...(cell.parentElement?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])]
  return focusWithin(cells[cells.indexOf(cell) + step])
}

/** Turns the flag of the cell's row on or off, as a click on its switch does. */
function switchRow(cell: HTMLElement): void {
  cell.parentElement?.querySelector<HTMLElement>('[role="switch"]:not(:disabled)')?.click()
}

function focusWithin(cell: Element | null | undefined): boolean {
  const control = cell?.querySelector<HTMLElement>('a, button, input:not(:disabled), [role="group"]')
  control?.focus({ preventScroll: true })
  return control !== null && control !== undefined
}
