const JSON_NUMBER = /^\s*-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?\s*$/

/**
 * The number that a text spells by the grammar of JSON, blanks around it aside. NaN, which passes no comparison, when
 * it spells none ("", "0x10", "+1") or one too large for a double ("1e999").
 */
export function jsonNumber(text: string): number {
  const number = JSON_NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : Number.NaN
}
