/** The bytes with a meaning in JSON (RFC 8259, section 2). */
export const BYTE = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const

/** By byte: 1 for white space between tokens. */
export const BLANK = tableOf(' \t\n\r')

/** By byte: 1 when it may occur in a number or in `true`, `false` and `null`. */
export const WORD = tableOf('+-.0123456789Eaeflnrstu')

/** By byte: 1 when it may follow a backslash. */
export const ESCAPED = tableOf('"\\/bfnrtu')

const HEX_DIGIT = tableOf('0123456789abcdefABCDEF')
const HEX_DIGITS = 4

/** Returns whether four hexadecimal digits start at `at`. */
export function isHexAt(bytes: Uint8Array, at: number): boolean {
  for (let index = at; index < at + HEX_DIGITS; index += 1) {
    const byte = bytes[index]
    if (byte === undefined || HEX_DIGIT[byte] !== 1) return false
  }
  return true
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

/**
 * Returns whether the bytes are `true`, `false`, `null` or a number. It is one hand-written pass, so that a
 * long number costs no more than its length.
 */
export function isWord(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] ?? 0
  if (first !== MINUS && !isDigit(first)) return isLiteral(bytes, start, end)
  let at = first === MINUS ? start + 1 : start
  if (bytes[at] === ZERO) at += 1
  else {
    const digits = skipDigits(bytes, at, end)
    if (digits === at) return false
    at = digits
  }
  if (at < end && bytes[at] === POINT) {
    const digits = skipDigits(bytes, at + 1, end)
    if (digits === at + 1) return false
    at = digits
  }
  if (at < end && isExponent(bytes[at])) {
    at += 1
    if (at < end && (bytes[at] === PLUS || bytes[at] === MINUS)) at += 1
    const digits = skipDigits(bytes, at, end)
    if (digits === at) return false
    at = digits
  }
  return at === end
}

const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const UPPER_E = 0x45
const LOWER_E = 0x65

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE
const isExponent = (byte: number | undefined): boolean => byte === UPPER_E || byte === LOWER_E

function skipDigits(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && isDigit(bytes[at] ?? 0)) at += 1
  return at
}

const LITERALS = ['true', 'false', 'null'].map((word) => [...word].map((letter) => letter.charCodeAt(0)))

function isLiteral(bytes: Uint8Array, start: number, end: number): boolean {
  return LITERALS.some(
    (word) => word.length === end - start && word.every((code, index) => bytes[start + index] === code),
  )
}
