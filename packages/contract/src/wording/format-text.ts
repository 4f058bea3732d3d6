const ELLIPSIS = '…'
const VALUE_MAX = 60

/**
 * Cuts a text to one line of at most `max` UTF-16 units. A cut ends with an ellipsis and never splits a
 * character.
 */
export function cutLine(text: string, max: number): string {
  // Keeps enough text for the second cut, after blanks have shrunk, without reading a megabyte.
  const line = text
    .slice(0, max * 4)
    .replace(UNSEEN, ' ')
    .trim()
  if (line.length <= max && text.length <= max * 4) return line
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}${ELLIPSIS}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSEEN = /[\s\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g

/** Formats a JSON value as short text. */
export const formatJson = (value: unknown): string => cutLine(JSON.stringify(value) ?? 'null', VALUE_MAX)
