const MAX_LENGTH = 500

/** Returns a value of an attribute for people: a long one as a text that is cut; undefined as null. */
export function shorten(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'string') return cut(value)
  try {
    const text = JSON.stringify(value)
    if (text === undefined) return null
    return text.length > MAX_LENGTH ? cut(text) : value
  } catch {
    return null
  }
}

const cut = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text
