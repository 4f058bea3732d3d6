/**
 * Reported text is cut, repaired or dropped, never refused (docs/reference/reports.md). Characters are code
 * points.
 */

/** Cuts a text to `maxLength` characters without splitting a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  return text.slice(0, endOfCharacters(text, maxLength))
}

/** Returns whether the text has more than `maxLength` characters. */
export const isLongerThan = (text: string, maxLength: number): boolean =>
  endOfCharacters(text, maxLength) < text.length

/** Returns the index after the first `count` characters, or the length of a shorter text. */
function endOfCharacters(text: string, count: number): number {
  // A text never has more characters than code units.
  if (text.length <= count) return text.length
  let at = 0
  for (let left = count; left > 0 && at < text.length; left -= 1) at += isPairAt(text, at) ? 2 : 1
  return at
}

function isPairAt(text: string, at: number): boolean {
  if ((text.charCodeAt(at) & SURROGATE_MASK) !== HIGH_SURROGATE) return false
  return (text.charCodeAt(at + 1) & SURROGATE_MASK) === LOW_SURROGATE
}
const SURROGATE_MASK = 0xfc00
const HIGH_SURROGATE = 0xd800
const LOW_SURROGATE = 0xdc00

/**
 * Formats a context as JSON; null when there is none, or when it is larger than `maxBytes` or deeper than
 * `maxDepth` levels.
 */
export function contextText(
  context: object | null | undefined,
  { maxBytes, maxDepth }: { readonly maxBytes: number; readonly maxDepth: number },
): string | null {
  // The depth is checked first, because formatting is recursive.
  if (context === null || context === undefined || isDeeperThan(context, maxDepth)) return null
  const text = JSON.stringify(context)
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes ? null : text
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null && isDeeperThan(child, levels - 1)) return true
  }
  return false
}

/**
 * Repairs JSON text that PostgreSQL cannot store: escaped NUL and escaped lone surrogates become U+FFFD.
 * Unescaped ones cannot occur: JSON allows no control characters, and UTF-8 has no surrogates.
 */
export const repairJson = (json: string): string =>
  // Looking for one text is many times quicker than an expression, and few reports have such an escape.
  json.includes('\\u') && ODD_ESCAPE.test(json)
    ? json.replace(ESCAPE, (found) => (found.length === NUL_ESCAPE_LENGTH ? REPLACEMENT_CHARACTER : found))
    : json

const ODD_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/
/** In the order of the attempts: a pair, NUL, a lone surrogate, any other escape. */
const ESCAPE =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./gs
const NUL_ESCAPE_LENGTH = 6
const REPLACEMENT_CHARACTER = '\ufffd'
