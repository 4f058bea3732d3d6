import type { ProblemDetail } from './refusal.ts'

/**
 * Finds the first problem with input of the control plane (docs/reference/api.md): NUL, lone surrogates,
 * infinite numbers, or more than `depthMax` levels of nesting. Null when there is none. It is recursive, but
 * never deeper than the limit.
 */
export function findUncleanInput(root: unknown, depthMax: number): ProblemDetail | null {
  const found = findUnclean(root, depthMax)
  if (!found) return null
  // Steps were collected from the inside out.
  const path = found.steps.reverse().map((step) => `/${escapePointer(step)}`)
  return { path: path.join(''), message: found.message ?? `must not nest deeper than ${depthMax} levels` }
}

interface Found {
  readonly steps: string[]
  /** The message; undefined when the value is nested too deeply. */
  readonly message: string | undefined
}

const foundHere = (message: string | undefined): Found => ({ steps: [], message })

function findUnclean(value: unknown, levels: number): Found | null {
  if (typeof value === 'string')
    return isCleanText(value) ? null : foundHere('must not contain NUL or a lone surrogate')
  if (typeof value === 'number') return Number.isFinite(value) ? null : foundHere('must be a finite number')
  if (typeof value !== 'object' || value === null) return null
  if (levels === 0) return foundHere(undefined)
  // Every object can be read by the names of its own fields.
  return Array.isArray(value) ? findInList(value, levels) : findInObject(value as Fields, levels)
}

function findInList(list: readonly unknown[], levels: number): Found | null {
  for (let index = 0; index < list.length; index += 1) {
    const found = findUnclean(list[index], levels - 1)
    if (found) return stepInto(found, String(index))
  }
  return null
}

type Fields = Readonly<Record<string, unknown>>

/** Iterates by name: entries take several times as long for tens of thousands of fields. */
function findInObject(fields: Fields, levels: number): Found | null {
  for (const name of Object.keys(fields)) {
    if (!isCleanText(name)) return foundHere('field names must not contain NUL or a lone surrogate')
    const found = findUnclean(fields[name], levels - 1)
    if (found) return stepInto(found, name)
  }
  return null
}

function stepInto(found: Found, step: string): Found {
  found.steps.push(step)
  return found
}

const isCleanText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Escapes one segment of a JSON pointer (RFC 6901, section 3). */
export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
