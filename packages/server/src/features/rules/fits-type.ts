import type { FlagType, JsonValue } from '@burgee/evaluation'

/** Whether flags of the type have such values. Integers stay within what JSON numbers carry exactly (RFC 8259, section 6). */
export function fitsType(flagType: FlagType, value: JsonValue): boolean {
  if (flagType === 'json') return true
  if (flagType === 'integer') return Number.isSafeInteger(value)
  return typeof value === flagType
}
