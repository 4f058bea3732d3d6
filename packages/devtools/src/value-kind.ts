import type { JsonValue } from '@burgee/sdk'

/** The ways to edit a value. */
export type ValueKind = 'boolean' | 'string' | 'number' | 'json'

export function kindOf(value: JsonValue): ValueKind {
  const type = typeof value
  return type === 'boolean' || type === 'string' || type === 'number' ? type : 'json'
}

/** Formats a value for its field. */
export const formatValue = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/**
 * Parses the text of a field.
 * @throws SyntaxError with advice when the text is no value of this kind.
 */
export function parseValue(text: string, kind: ValueKind): JsonValue {
  if (kind === 'string') return text
  try {
    const value: JsonValue = JSON.parse(text)
    if (kind !== 'number' || typeof value === 'number') return value
  } catch {}
  throw new SyntaxError(kind === 'number' ? 'Enter a number' : 'Enter JSON, such as "text", 5 or {"a": 1}')
}
