import type { FlagType, JsonValue } from './flag.ts'

/** An object as it came over the wire. */
export type Fields = Readonly<Record<string, unknown>>

/** Flags are read where they are compiled, from `unknown`; what does not fit ends in this one error. */
export function demand(holds: boolean): asserts holds {
  if (!holds) throw new TypeError('malformed flag')
}

export function readText(value: unknown): string {
  demand(typeof value === 'string')
  return value
}

export function readObject(value: unknown): Fields {
  demand(typeof value === 'object' && value !== null)
  return value as Fields
}

/** A list of objects, each made into something; missing and null mean empty. */
export function readList<Entry>(value: unknown, make: (entry: Fields, index: number) => Entry): Entry[] {
  const entries: unknown = value ?? []
  demand(Array.isArray(entries))
  return entries.map((entry, index) => make(readObject(entry), index))
}

/**
 * A value of the type, or `otherwise` when it is missing or null. Arrays and objects are copied and frozen, so that
 * results may be shared and later changes to the flag that was given reach no evaluation.
 */
export function readValue(type: FlagType, value: unknown, otherwise: JsonValue): JsonValue {
  if (value == null) return otherwise
  demand(type === 'json' || (type === 'integer' ? Number.isInteger(value) : typeof value === type))
  return JSON.parse(JSON.stringify(value), (_key, part) => Object.freeze(part))
}
