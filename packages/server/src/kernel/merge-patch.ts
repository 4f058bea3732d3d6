import type { JsonValue } from '@burgee/evaluation'

const isObject = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * JSON merge patch (RFC 7386, section 2): objects merge field by field, null removes a field, anything else replaces
 * what was there. Neither argument is changed. `__proto__` and the like are ordinary keys.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch
  const merged = new Map<string, JsonValue>(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}
