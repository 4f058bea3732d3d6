import { DESCRIPTION_SHOWN_MAX_LENGTH } from '../limits.ts'

/** Everything but printable ASCII, which no editor, terminal or compiler reads as anything else. */
const UNPRINTABLE = /[^\x20-\x7e]/g

/** Returns the literal of a text for TypeScript: in single quotes, in printable ASCII. */
export const quote = (text: string): string =>
  `'${text.replace(/['\\]/g, String.raw`\$&`).replace(UNPRINTABLE, escapeUnit)}'`

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The characters of a text in a comment. */
const COMMENT_MAX_LENGTH = 500
// Line separators end lines of a comment, and the others change how it is shown.
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** Returns the first characters of a text, counted as PostgreSQL does: by code points. */
export function cutText(text: string, maxLength: number = DESCRIPTION_SHOWN_MAX_LENGTH): string {
  if (text.length <= maxLength) return text
  return [...text.slice(0, maxLength * UNITS_MAX)].slice(0, maxLength).join('')
}
/** The code units of a character, at most. */
const UNITS_MAX = 2

/**
 * Returns a text as one line of a comment, which it cannot end and where it can begin no tag. A long text
 * is cut first: a server reads no more of it.
 */
export function toCommentText(text: string): string {
  const line = cutText(text).replace(CONTROLS, ' ').replace(/ {2,}/g, ' ').trim()
  const short = [...line].slice(0, COMMENT_MAX_LENGTH).join('')
  return short.replaceAll('*/', '* /').replace(/(^|[^A-Za-z0-9._+-])@/g, '$1(at)')
}
