import { deepEqual, type JsonValue } from '@burgee/evaluation'

type JsonObject = { readonly [key: string]: JsonValue }

/**
 * The smallest JSON merge patch (RFC 7386) that makes `after` of `before`; undefined where none does, since a patch cannot
 * set a field inside an object to null.
 */
export function mergePatchOf(before: JsonValue | undefined, after: JsonValue): JsonValue | undefined {
  if (!isObject(after)) return after
  const known: JsonObject = isObject(before) ? before : {}
  const patch = new Map<string, JsonValue>()
  for (const key of Object.keys(known)) if (!Object.hasOwn(after, key)) patch.set(key, null)
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(known, key) ? known[key] : undefined
    if (deepEqual(old, value)) continue
    const part = value === null ? undefined : mergePatchOf(old, value)
    if (part === undefined) return undefined
    patch.set(key, part)
  }
  return Object.fromEntries(patch)
}

const isObject = (value: JsonValue | undefined): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
