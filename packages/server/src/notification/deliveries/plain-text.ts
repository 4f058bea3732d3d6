/**
 * A text without its escapes. `begins` and `ends` have the position of each UTF-16 unit in the original text.
 */
export interface PlainText {
  readonly text: string
  readonly begins: readonly number[]
  readonly ends: readonly number[]
}

/**
 * One character as JSON, HTML and URLs write it. The last but one are UTF-8 sequences of two to four bytes.
 */
const ESCAPE =
  /\\u([\da-f]{4})|\\([/"\\])|&#x([\da-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);|%(?:[0-7][\da-f]|[cd][\da-f]%[\da-f]{2}|e[\da-f](?:%[\da-f]{2}){2}|f[\da-f](?:%[\da-f]{2}){3})|\+/gi

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Decodes the escapes of JSON, HTML and URLs once, anywhere in the text. It is for finding one text in
 * another, not for reading.
 */
export function toPlainText(escaped: string): PlainText {
  let text = ''
  const begins: number[] = []
  const ends: number[] = []
  const add = (unit: string, begin: number, end: number): void => {
    for (let index = 0; index < unit.length; index += 1) {
      begins.push(begin)
      ends.push(end)
    }
    text += unit
  }
  let at = 0
  const addAsItStands = (until: number): void => {
    for (; at < until; at += 1) add(escaped.charAt(at), at, at + 1)
  }
  for (const match of escaped.matchAll(ESCAPE)) {
    addAsItStands(match.index)
    const end = match.index + match[0].length
    add(undoEscape(match), match.index, end)
    at = end
  }
  addAsItStands(escaped.length)
  return { text, begins, ends }
}

function undoEscape([whole, json, jsonChar, hex, decimal, name]: RegExpMatchArray): string {
  if (json !== undefined) return String.fromCharCode(Number.parseInt(json, 16))
  if (jsonChar !== undefined) return jsonChar
  if (hex !== undefined) return toCharacter(Number.parseInt(hex, 16), whole)
  if (decimal !== undefined) return toCharacter(Number.parseInt(decimal, 10), whole)
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
  if (whole === '+') return ' '
  try {
    return decodeURIComponent(whole)
  } catch {
    return whole
  }
}

const LAST_CODE_POINT = 0x10ffff

const toCharacter = (code: number, otherwise: string): string =>
  code <= LAST_CODE_POINT ? String.fromCodePoint(code) : otherwise
