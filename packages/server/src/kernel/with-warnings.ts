import { PROBLEMS_MAX, type Warning } from '@burgee/contract'

/**
 * Adds warnings to a written resource. `warnings` is absent when there are none (docs/reference/api.md). The
 * response is limited when it is sent, because more warnings may be added until then.
 */
export function withWarnings<T extends object>(
  resource: T,
  warnings: readonly Warning[],
): T & { warnings?: Warning[] } {
  return warnings.length > 0 ? { ...resource, warnings: [...warnings] } : resource
}

/**
 * Cuts the warnings to as many as a response lists. Where there are more, the last one gives the number of
 * the others. Each list is limited once, otherwise that number is lost.
 */
export function limitWarnings<T extends { readonly warnings?: Warning[] | undefined }>(body: T): T {
  const { warnings = [] } = body
  if (warnings.length <= PROBLEMS_MAX) return body
  const listed = warnings.slice(0, PROBLEMS_MAX - 1)
  const message = `There are ${warnings.length - listed.length} more warnings. Fix these first.`
  return { ...body, warnings: [...listed, { code: 'more_warnings', path: '', message }] }
}
