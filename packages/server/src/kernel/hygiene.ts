import type { ProblemDetail } from './refusal.ts'

/**
 * What no input of the control plane may hold (contract, section 3): NUL, lone surrogates, numbers beyond the finite,
 * more than `depthMax` levels of nesting. Iterative, so that depth cannot exhaust the stack. Gives the first problem found, or null.
 */
export function findUncleanInput(root: unknown, depthMax: number): ProblemDetail | null {
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 1 }]
  for (let item = pending.pop(); item; item = pending.pop()) {
    const { value, path, depth } = item
    if (typeof value === 'string') {
      if (!isCleanText(value)) return { path, message: 'must not contain NUL or a lone surrogate' }
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return { path, message: 'must be a finite number' }
    } else if (typeof value === 'object' && value !== null) {
      if (depth > depthMax) return { path, message: `must not nest deeper than ${depthMax} levels` }
      for (const [key, child] of Object.entries(value)) {
        if (!isCleanText(key))
          return { path, message: 'field names must not contain NUL or a lone surrogate' }
        pending.push({ value: child, path: `${path}/${escapePointer(key)}`, depth: depth + 1 })
      }
    }
  }
  return null
}

const isCleanText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** One segment of a JSON pointer (RFC 6901, section 3). */
export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
