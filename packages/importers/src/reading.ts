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

/** Returns the texts of a list of texts, numbers and booleans, as conditions compare them. */
export const comparedTexts = (values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'number' || typeof value === 'boolean'
        ? [String(value)]
        : [],
  )

/** Returns a value of a parsed file as JSON; null where it is missing. */
export const jsonOf = (value: unknown): JsonValue => (value === undefined ? null : (value as JsonValue))
