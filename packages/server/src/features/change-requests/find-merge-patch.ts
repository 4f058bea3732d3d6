import { deepEqual, type JsonValue } from '@burgee/evaluation'

interface JsonFields {
  readonly [name: string]: JsonValue
}

/**
 * The merge patch (RFC 7386) that gives the fields of `before` the values that `after` has; fields that `after` does not
 * have stay. A merge patch cannot say null inside of an object, where null takes a field away: there it only comes close.
 */
export function findMergePatch(before: JsonFields, after: JsonFields): Record<string, JsonValue> {
  const changed = Object.entries(after).filter(([name, value]) => !deepEqual(value, own(before, name)))
  return Object.fromEntries(changed.map(([name, value]) => [name, patchValue(own(before, name), value)]))
}

function patchValue(before: JsonValue, after: JsonValue): JsonValue {
  if (!isFields(before) || !isFields(after)) return after
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...findMergePatch(before, after) }
}

/** `__proto__` and the like are ordinary names: only own fields count. */
const own = (fields: JsonFields, name: string): JsonValue =>
  Object.hasOwn(fields, name) ? (fields[name] ?? null) : null

const isFields = (value: JsonValue): value is { [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
