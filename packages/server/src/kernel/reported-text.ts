/** How reported text is kept: cut, mended or dropped, never refused (contract, section 8). Characters are code points. */

/** At most `max_length` characters of the text; no pair of surrogates is cut apart. */
export function cutText(text: string, max_length: number): string {
  // No text has more characters than code units.
  if (text.length <= max_length) return text
  return [...text.slice(0, 2 * max_length)].slice(0, max_length).join('')
}

/** Whether the text has more than `max_length` characters. */
export const isLongerThan = (text: string, max_length: number): boolean =>
  text.length > max_length && [...text.slice(0, 2 * max_length + 1)].length > max_length

/** A context as JSON; null without one, and when it is larger than `max_bytes` or nests deeper than `max_depth` levels. */
export function contextText(
  context: object | null | undefined,
  { max_bytes, max_depth }: { readonly max_bytes: number; readonly max_depth: number },
): string | null {
  // Depth first: writing JSON is recursive, and only so deep.
  if (context === null || context === undefined || isDeeperThan(context, max_depth)) return null
  const text = JSON.stringify(context)
  return text.length > max_bytes || Buffer.byteLength(text) > max_bytes ? null : text
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null && isDeeperThan(child, levels - 1)) return true
  }
  return false
}

/**
 * JSON text without what PostgreSQL cannot store: escaped NUL and escaped halves of surrogate pairs become U+FFFD. Unescaped
 * they cannot be there: JSON allows no control characters, and UTF-8 has no halves.
 */
export const mendJson = (json: string): string =>
  ODD_ESCAPE.test(json)
    ? json.replace(ESCAPE, (found) => (found.length === NUL_ESCAPE_LENGTH ? REPLACEMENT_CHARACTER : found))
    : json

const ODD_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/
/** In the order in which they are tried: a whole pair, NUL, half a pair, any other escape. */
const ESCAPE =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./gs
const NUL_ESCAPE_LENGTH = 6
const REPLACEMENT_CHARACTER = '\ufffd'
