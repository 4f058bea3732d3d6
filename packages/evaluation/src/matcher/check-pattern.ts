import { parsePattern } from './parse-pattern.ts'

/** The faults of a pattern, by the number with which the parser fails. */
const FAULTS = [
  'needs more than 1,000 states',
  'has an unsupported escape',
  'has nothing to repeat',
  'repeats a repetition',
  'repeats in the wrong order or more than 1,000 times',
  'has an unsupported group',
  'has the name of a group twice',
  'has an unclosed group',
  'has a class of POSIX',
  'has an unclosed class',
  'has a range in the wrong order',
  'closes a group that is not open',
  'is longer than 256 characters',
]

/**
 * Returns the fault of a pattern and its place in UTF-16 code units; null for a pattern that `matches` can
 * use.
 */
export function checkPattern(pattern: string): { message: string; index: number } | null {
  const found = measurePattern(pattern)
  return typeof found === 'number' ? null : found
}

/**
 * Returns the states of the automaton of a pattern, to which its memory and the time of a match are in
 * proportion; or its fault, as `checkPattern` does.
 */
export function measurePattern(pattern: string): number | { message: string; index: number } {
  try {
    return parsePattern(pattern).states.length
  } catch (error) {
    const { cause, message } = error as RangeError
    return { message: FAULTS[Number(message)] ?? 'is not valid', index: Number(cause ?? 0) }
  }
}
