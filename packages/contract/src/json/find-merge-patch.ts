import { deepEqual, type JsonValue } from '@burgee/evaluation'

interface JsonFields {
  readonly [name: string]: JsonValue
}

/**
 * Returns the merge patch (RFC 7386) that gives the fields of `before` the values of `after`; fields that
 * `after` lacks stay. Inside an object a merge patch cannot set null, which removes a field, so there the
 * result is only close.
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

/** Reads an own field only, so `__proto__` is an ordinary name. */
const own = (fields: JsonFields, name: string): JsonValue =>
  Object.hasOwn(fields, name) ? (fields[name] ?? null) : null

const isFields = (value: JsonValue): value is { [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
