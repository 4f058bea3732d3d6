import type { JsonValue } from '@burgee/evaluation'
import { escapePointer } from './hygiene.ts'

export interface JsonDifference {
  /** JSON pointer (RFC 6901) to what differs; empty for the whole. */
  readonly path: string
  /** null as well where this side has nothing there. */
  readonly before: JsonValue
  readonly after: JsonValue
}

/**
 * Where two JSON values differ, in the order of `before`'s fields. Objects are compared field by field, whatever the order
 * of their fields, and arrays of one length item by item; arrays of different lengths differ as a whole, for an item that was
 * put in shifts all behind it.
 */
export function diffJson(before: JsonValue, after: JsonValue): JsonDifference[] {
  const found: JsonDifference[] = []
  collect(found, [], before, after)
  return found
}

/**
 * Recursive: JSON that is stored nests at most 32 levels deep (docs/reference/api.md). `steps` lead to the two values and become a path
 * only where they differ.
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

/** `__proto__` and the like are ordinary fields: only own ones count, and a missing one differs from any value. */
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
const isObject = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
