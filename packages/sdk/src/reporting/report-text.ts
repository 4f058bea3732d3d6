/** How much of an impression or goal event is kept (the service cuts the same way). Characters are code points. */
const MAX_VALUE_LENGTH = 8_192
const MAX_USER_ID_LENGTH = 1_024
const MAX_CONTEXT_BYTES = 8_192

/** The result of an evaluation as text: a string as it is, everything else as JSON. */
export function valueText(value: unknown): string {
  return cut(typeof value === 'string' ? value : jsonText(value), MAX_VALUE_LENGTH)
}

/** Null for nobody in particular. A number counts as its text, as in evaluation. */
export function userText(userKey: unknown): string | null {
  return typeof userKey === 'string' || typeof userKey === 'number'
    ? cut(String(userKey), MAX_USER_ID_LENGTH)
    : null
}

/** Evaluation attributes as JSON; 'null' without any, and when there are too many. */
export function contextText(context: unknown): string {
  const text = typeof context === 'object' ? mend(jsonText(context)) : NULL
  return new TextEncoder().encode(text).length > MAX_CONTEXT_BYTES ? NULL : text
}

/** The item with its context, both as JSON. */
export function withContext(item: string, context: string | undefined = NULL): string {
  return context === NULL ? item : `${item.slice(0, -1)},"context":${context}}`
}

/**
 * Replaces NUL and halves of surrogate pairs, which the service cannot store, by U+FFFD.
 *
 * @param json As `JSON.stringify` writes it: those characters are escaped.
 */
export function mend(json: string): string {
  return json.replace(/\\(u0000|ud[89a-f]..|.)/g, (found, { length }) => (length > 1 ? '\ufffd' : found))
}

/** Never cuts a pair of surrogates apart. */
function cut(text: string, length: number): string {
  return text.length > length ? [...text.slice(0, 2 * length)].slice(0, length).join('') : text
}

/** Callers without types may hand in anything; what is no JSON is nothing. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? NULL
  } catch {
    return NULL
  }
}

const NULL = 'null'
