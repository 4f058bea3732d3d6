const JSON_NUMBER = /^\s*-?(0|[1-9]\d*)(\.\d|e|\s*$)/i

/**
 * The number that a text is by the grammar of JSON (RFC 8259, section 6), blanks around it aside. NaN when it
 * is none ("", "0x10", "+1") or one too large for a double ("1e999"). Other values count by their text.
 */
export function parseJsonNumber(text: unknown): number {
  // The expression only has to reject what `Number` accepts beyond the grammar.
  const number = JSON_NUMBER.test(String(text)) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : Number.NaN
}
