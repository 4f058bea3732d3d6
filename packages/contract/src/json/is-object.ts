import type { JsonValue } from '@burgee/evaluation'

/** Returns whether a value is an object with fields: neither null nor a list. */
export function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue }
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
