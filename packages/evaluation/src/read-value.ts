import { assertValid } from './assert-valid.ts'
import type { FlagType, JsonValue } from './flag.ts'

/**
 * A value of the type, or `fallback` when it is missing or null. Arrays and objects are copied and frozen:
 * results may be shared, and later changes to the given flag reach no evaluation.
 *
 * @throws TypeError when the value does not fit the type.
 */
export function readValue(type: FlagType, value: unknown, fallback: JsonValue): JsonValue {
  if (value == null) return fallback
  assertValid(type === 'json' || (type === 'integer' ? Number.isInteger(value) : typeof value === type))
  return freeze(JSON.parse(JSON.stringify(value)))
}

/** Freezes what was parsed. A reviver would take twice as long. */
function freeze<T>(part: T): T {
  if (part && typeof part === 'object') Object.values(part).forEach(freeze)
  return Object.freeze(part)
}

export const isWholeNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0
