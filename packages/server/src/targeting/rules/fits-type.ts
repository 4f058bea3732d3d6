import type { FlagType, JsonValue } from '@burgee/evaluation'

/**
 * Tests whether flags of the type can have the value. Integers are limited to those that are exact in JSON
 * (RFC 8259, section 6).
 */
export function fitsType(flagType: FlagType, value: JsonValue): boolean {
  if (flagType === 'json') return true
  if (flagType === 'integer') return Number.isSafeInteger(value)
  return typeof value === flagType
}
