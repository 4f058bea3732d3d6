import { countOf } from './count-of.ts'

/** More names are no help. */
const NAMES_SHOWN = 3

/** `a@x, b@x and 2 others`. */
export function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN)
  const rest = names.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${countOf(rest, 'other')}`
  const last = shown.at(-1) ?? ''
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`
}
