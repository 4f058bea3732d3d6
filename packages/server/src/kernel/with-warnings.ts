import type { Warning } from '@burgee/contract'

/** Adds warnings to a written resource. `warnings` is absent when there are none (docs/reference/api.md). */
export function withWarnings<T extends object>(
  resource: T,
  warnings: readonly Warning[],
): T & { warnings?: Warning[] } {
  return warnings.length > 0 ? { ...resource, warnings: [...warnings] } : resource
}
