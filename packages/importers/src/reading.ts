import type { JsonValue } from '@burgee/evaluation'

/** The files come from elsewhere: every value may be of any type, or missing. */

export type JsonObject = Readonly<Record<string, unknown>>

/** Returns an object; an empty one in place of anything else. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a list; an empty one in place of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the objects of a list. */
export const objectsOf = (value: unknown): readonly JsonObject[] => listOf(value).filter(isObject)

/** Returns a text that is not empty; null in place of anything else. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** Returns a finite number, also where it is written as a text; null in place of anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Returns any value as a text. An object may have a field `toString` that is no function. */
export const textForm = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** Returns the texts of a list of texts, numbers and booleans, as conditions compare them. */
export const comparedTexts = (values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'number' || typeof value === 'boolean'
        ? [String(value)]
        : [],
  )

/** Returns the texts of a list, for services that compare texts with texts only. */
export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((one) => typeof one === 'string')

/** Returns a value of a parsed file as JSON; null where it is missing. */
export const jsonOf = (value: unknown): JsonValue => (value === undefined ? null : (value as JsonValue))

/**
 * Builds a table that is looked up by a name from a file. It has no prototype: `constructor` is no entry.
 */
export const tableOf = <Value>(
  entries: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value | undefined>> => Object.assign(Object.create(null), entries)
