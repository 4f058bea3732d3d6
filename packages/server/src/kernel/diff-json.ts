import { isObject } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { escapePointer } from './hygiene.ts'

export interface JsonDifference {
  /** The JSON pointer (RFC 6901) to the difference; empty for the whole value. */
  readonly path: string
  /** The value on this side; null also when it is absent. */
  readonly before: JsonValue
  readonly after: JsonValue
}

/**
 * Returns the differences of two JSON values, in the order of the fields of `before`. Objects are compared by
 * field, in any order. Arrays of equal length are compared by item; arrays of different lengths differ as a
 * whole, because an inserted item shifts all that follow.
 */
export function diffJson(before: unknown, after: unknown): JsonDifference[] {
  const found: JsonDifference[] = []
  // What is compared is stored as JSON, which the types of flags and segments do not state.
  collect(found, [], before as JsonValue, after as JsonValue)
  return found
}

/**
 * Collects differences. It is recursive: stored JSON has at most 32 levels (docs/reference/api.md). `steps`
 * lead to the two values and become a path only where these differ.
 */
function collect(
  found: JsonDifference[],
  steps: (string | number)[],
  before: JsonValue,
  after: JsonValue,
): void {
  if (before === after) return
  if (isArray(before) && isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) {
      steps.push(index)
      collect(found, steps, item, after[index] ?? null)
      steps.pop()
    }
  } else if (isObject(before) && isObject(after)) {
    collectFields(found, steps, before, after)
  } else {
    found.push({ path: pathOf(steps), before, after })
  }
}

/**
 * Compares fields. Only own fields count, so `__proto__` is an ordinary one; a missing field differs from any
 * value.
 */
function collectFields(
  found: JsonDifference[],
  steps: (string | number)[],
  before: JsonObject,
  after: JsonObject,
): void {
  for (const key of Object.keys(before)) {
    steps.push(key)
    const value = before[key] ?? null
    if (Object.hasOwn(after, key)) collect(found, steps, value, after[key] ?? null)
    else found.push({ path: pathOf(steps), before: value, after: null })
    steps.pop()
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key))
      found.push({ path: pathOf([...steps, key]), before: null, after: after[key] ?? null })
  }
}

const pathOf = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${typeof step === 'number' ? step : escapePointer(step)}`).join('')

type JsonObject = { readonly [key: string]: JsonValue }

const isArray = (value: JsonValue): value is JsonValue[] => Array.isArray(value)
