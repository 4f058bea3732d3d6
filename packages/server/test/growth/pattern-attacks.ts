import type { Attack } from './measure-growth.ts'

const SEPARATORS = ['', '-', ' ']
const ENDS = ['', '!', '\n']
/** The pieces of a pattern that are repeated one by one. */
const PIECES_MAX = 12

/**
 * Returns texts that may be expensive for a pattern: what each of its parts matches, alone and with its
 * neighbors, repeated, after what leads to that part and before something that the pattern does not end with.
 */
export function patternAttacks(pattern: RegExp): Attack[] {
  const pieces = piecesOf(pattern).slice(0, PIECES_MAX)
  return pieces.flatMap((piece, index) => {
    const [next = '', afterNext = ''] = pieces.slice(index + 1)
    const units = new Set([piece, piece + next, piece + next + afterNext])
    const starts = new Set(['', pieces.slice(0, index).join('')])
    return [...units].flatMap((unit) => [...starts].flatMap((start) => attacksWith(start, unit)))
  })
}

const attacksWith = (start: string, unit: string): Attack[] =>
  SEPARATORS.flatMap((separator) =>
    ENDS.map((end) => ({
      name: JSON.stringify({ start, again: separator + unit, end }),
      text: (length: number) =>
        start + (separator + unit).repeat(Math.ceil(length / (separator + unit).length)) + end,
    })),
  )

/** Returns a text that each literal run, class or escape of the pattern matches, in order. */
function piecesOf({ flags, source }: RegExp): string[] {
  const pieces: string[] = []
  let literal = ''
  const endLiteral = () => {
    if (literal !== '') pieces.push(literal)
    literal = ''
  }
  for (const token of source.match(TOKEN) ?? []) {
    if (/^[\w\s\-"'%&,:;<=>@_`~#!/]$/.test(token)) {
      literal += token
      continue
    }
    const escaped = /^\\([^\w])$/.exec(token)?.[1]
    if (escaped !== undefined) {
      literal += escaped
      continue
    }
    endLiteral()
    const sample = sampleOf(token, flags)
    if (sample !== null) pieces.push(sample)
  }
  endLiteral()
  return pieces
}

/** A class, an escape, a counted repetition, the head of a group, or one character. */
const TOKEN =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u(?:[\da-f]{4}|\{[\da-f]+\})|p\{[\w=]+\}|.)|\{\d+,?\d*\}|\(\?(?:[:=!]|<[=!])|[\s\S]/giu

const CANDIDATES = [...'aZ09_-./ :%+\t\n\u00e9\ud800\0\u200d\u0628\u064b'.split(''), '😀']

function sampleOf(token: string, flags: string): string | null {
  if (/^(?:[()|*+?^$]|\{|\(\?|\\b|\\B)/.test(token)) return null
  const one = new RegExp(`^${token}$`, flags.replace('g', ''))
  return CANDIDATES.find((candidate) => one.test(candidate)) ?? null
}
