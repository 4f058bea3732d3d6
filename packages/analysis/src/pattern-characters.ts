const CODE_MAX = 0x10ffff
/** Beyond it no character has another case. */
const CASED_MAX = 0x1ffff

/** The ends of the classes that have a letter, and the blanks that do. */
const ENDS = [...'09AZaz_ \t\n\v\f\r'].map((character) => character.codePointAt(0) ?? 0)

let cased: number[] | undefined

function listCased(): number[] {
  if (cased) return cased
  cased = []
  for (let code = 0; code <= CASED_MAX; code++) if (hasCase(code)) cased.push(code)
  return cased
}

function hasCase(code: number): boolean {
  const text = String.fromCodePoint(code)
  return text.toLowerCase() !== text || text.toUpperCase() !== text
}

/**
 * Returns characters of which each pattern of a list distinguishes no others: every end of a range is written
 * in its pattern, and between two ends only the case matters.
 */
export function charactersOf(patterns: readonly string[]): number[] {
  const ends = new Set<number>(ENDS)
  for (const pattern of patterns) {
    for (const character of pattern) ends.add(character.codePointAt(0) ?? 0)
    for (const [, hex = ''] of pattern.matchAll(/\\x([\da-fA-F]{2})/g)) ends.add(Number.parseInt(hex, 16))
  }
  const near = [0, ...ends].flatMap((code) => [code, code - 1, code + 1])
  const found = near.filter((code) => code >= 0 && code <= CODE_MAX)
  if (!patterns.some((pattern) => pattern.startsWith('(?i)'))) return found
  return [...found, ...found.map(uncasedFrom), ...listCased()]
}

/** Returns the next character without another case. */
function uncasedFrom(code: number): number {
  let next = code
  while (next < CODE_MAX && hasCase(next)) next++
  return next
}
