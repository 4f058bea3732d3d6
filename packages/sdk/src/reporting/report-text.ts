/** How much of an impression or goal event is kept (the service cuts the same way). Characters are code points. */
const MAX_VALUE_LENGTH = 8_192
const MAX_USER_ID_LENGTH = 1_024
const MAX_CONTEXT_BYTES = 8_192

/** The result of an evaluation as text: a string as it is, everything else as JSON. */
export const valueText = (value: unknown): string =>
  cut(typeof value === 'string' ? value : jsonText(value), MAX_VALUE_LENGTH)

/** Null for nobody in particular. A number counts as its text, as in evaluation. */
export const userText = (userKey: unknown): string | null =>
  typeof userKey === 'string' || typeof userKey === 'number' ? cut(String(userKey), MAX_USER_ID_LENGTH) : null

/** Evaluation attributes as JSON; 'null' without any, and when there are too many. */
export function contextText(context: unknown): string {
  const text = typeof context === 'object' ? repair(jsonText(context)) : 'null'
  return byteLength(text) > MAX_CONTEXT_BYTES ? 'null' : text
}

/**
 * Replaces NUL and halves of surrogate pairs, which the service cannot store, by U+FFFD.
 *
 * @param json As `JSON.stringify` writes it: those characters are escaped.
 */
export const repair = (json: string): string =>
  json.replace(/\\(u0000|ud[89a-f]..|.)/g, (found) => (found.length > 2 ? '\ufffd' : found))

/** Never cuts a pair of surrogates apart. */
export const cut = (text: string, length: number): string =>
  [...text.slice(0, 2 * length)].slice(0, length).join('')

export const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** Callers without types may hand in anything; what is no JSON is nothing. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return 'null'
  }
}
