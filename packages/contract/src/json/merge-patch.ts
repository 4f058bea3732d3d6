import type { JsonValue } from '@burgee/evaluation'
import { isObject } from './is-object.ts'

/**
 * Applies a JSON merge patch (RFC 7386, section 2): objects merge field by field, null removes a field,
 * anything else replaces what was there. Neither argument is changed. `__proto__` and the like are ordinary
 * names.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  // Defines fields, as an assignment to `__proto__` would not.
  return Object.fromEntries(merged)
}
