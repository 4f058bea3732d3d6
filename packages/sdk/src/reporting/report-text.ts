/**
 * The largest parts of impressions and goal events; the server cuts them in the same way. Characters are code
 * points.
 */
const MAX_VALUE_LENGTH = 8_192
const MAX_USER_ID_LENGTH = 1_024
const MAX_CONTEXT_BYTES = 8_192

/** The value of an evaluation as text: a string as it is, everything else as JSON. */
export const valueText = (value: unknown): string =>
  cut(typeof value === 'string' ? value : jsonText(value), MAX_VALUE_LENGTH)

/** The user key as text, null for an anonymous user. A number counts as its text, as in evaluation. */
export const userText = (userKey: unknown): string | null =>
  typeof userKey === 'string' || typeof userKey === 'number' ? cut(String(userKey), MAX_USER_ID_LENGTH) : null

/** Formats attributes as JSON; 'null' when there are none, or too many. */
export function contextText(context: unknown): string {
  const text = typeof context === 'object' ? repair(jsonText(context)) : 'null'
  return byteLength(text) > MAX_CONTEXT_BYTES ? 'null' : text
}

/**
 * Replaces NUL and lone surrogates, which the server cannot store, by U+FFFD.
 * @param json JSON from `JSON.stringify`, where those characters are escaped.
 */
export const repair = (json: string): string =>
  json.replace(/\\(u0000|ud[89a-f]..|.)/g, (found) => (found.length > 2 ? '\ufffd' : found))

/** Cuts a text without splitting a surrogate pair. */
export const cut = (text: string, length: number): string =>
  [...text.slice(0, 2 * length)].slice(0, length).join('')

export const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** Formats a value as JSON. Untyped callers may pass anything; a value that is not JSON gives 'null'. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return 'null'
  }
}
