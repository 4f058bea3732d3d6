import type { Warning } from '@burgee/contract'

/** A written resource as its answer shows it: `warnings` is absent when there is nothing to say (docs/reference/api.md). */
export function withWarnings<T extends object>(
  resource: T,
  warnings: readonly Warning[],
): T & { warnings?: Warning[] } {
  return warnings.length > 0 ? { ...resource, warnings: [...warnings] } : resource
}
