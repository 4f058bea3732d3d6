import { PROBLEMS_MAX, type Warning } from '@burgee/contract'

/** Adds warnings to a written resource. `warnings` is absent when there are none (docs/reference/api.md). */
export function withWarnings<T extends object>(
  resource: T,
  warnings: readonly Warning[],
): T & { warnings?: Warning[] } {
  return warnings.length > 0 ? { ...resource, warnings: limitWarnings(warnings) } : resource
}

/** As many as a response lists. Where there are more, the last one gives the number of the others. */
export function limitWarnings(warnings: readonly Warning[]): Warning[] {
  if (warnings.length <= PROBLEMS_MAX) return [...warnings]
  const listed = warnings.slice(0, PROBLEMS_MAX - 1)
  const message = `There are ${warnings.length - listed.length} more warnings. Fix these first.`
  return [...listed, { code: 'more_warnings', path: '', message }]
}
