/** Code points from and to, both included. */
export type Range = readonly [from: number, to: number]

const LAST = 0x10ffff
const DIGIT: readonly Range[] = [[48, 57]]
const SPACE: readonly Range[] = [
  [9, 10],
  [12, 13],
  [32, 32],
]
const WORD: readonly Range[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
/** The long s and the sign of Kelvin, which fold to letters of ASCII. */
const FOLDED_WORD: readonly Range[] = [...WORD, [0x17f, 0x17f], [0x212a, 0x212a]]

/** The classes `\d`, `\s`, `\w` and, in capitals, their complements. Undefined for another letter. */
export function perlClass(letter: string, isFolded: boolean): readonly Range[] | undefined {
  const lower = letter.toLowerCase()
  const ranges =
    lower === 'd'
      ? DIGIT
      : lower === 's'
        ? SPACE
        : lower === 'w'
          ? isFolded
            ? FOLDED_WORD
            : WORD
          : undefined
  return letter === lower ? ranges : ranges && invert(ranges)
}

/** The code points that are in none of the ranges, which are sorted and apart. */
function invert(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, to]) => to + 1)]
  return starts.map((start, index): Range => [start, (ranges[index]?.[0] ?? LAST + 1) - 1])
}

const ASCII_SIZE = 128
const hex = (code: number) => `\\u{${code.toString(16)}}`

/**
 * Returns the test whether a code point is in the class. With `isFolded` the engine's own expression of one
 * character compares, which folds by the same tables of Unicode as RE2 does.
 */
export function classTest(
  ranges: readonly Range[],
  isNegated: boolean,
  isFolded: boolean,
): (code: number) => boolean {
  const inRanges = (code: number) => ranges.some(([from, to]) => code >= from && code <= to) !== isNegated
  const source = ranges.map(([from, to]) => (from > to ? '' : `${hex(from)}-${hex(to)}`)).join('')
  const folding = isFolded ? new RegExp(`[${isNegated ? '^' : ''}${source}]`, 'iu') : null
  const test = folding ? (code: number) => folding.test(String.fromCodePoint(code)) : inRanges
  /** For each character of ASCII 0 while it is unknown, 1 for yes and 2 for no. */
  const known = new Uint8Array(ASCII_SIZE)
  return (code) => {
    if (code >= ASCII_SIZE) return test(code)
    known[code] ||= test(code) ? 1 : 2
    return known[code] === 1
  }
}
