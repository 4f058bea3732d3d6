import type { KeyboardEvent } from 'react'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Moves the focus between the links of a list with the arrow keys. */
export function focusNeighbor(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const at = links.findIndex((link) => link.matches(':focus'))
  const next = links[at + step]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
