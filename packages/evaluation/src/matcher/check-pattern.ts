import { compilePattern } from './compile-pattern.ts'

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
  try {
    compilePattern(pattern)
    return null
  } catch (error) {
    const { cause, message } = error as RangeError
    return { message: FAULTS[Number(message)] ?? 'is not valid', index: Number(cause ?? 0) }
  }
}
