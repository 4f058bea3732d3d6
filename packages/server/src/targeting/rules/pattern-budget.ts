import { isOperator, measurePattern, operatorKind } from '@burgee/evaluation'

/**
 * The states of all patterns of a flag or segment. Memory of every SDK and the time of an evaluation are in
 * proportion to them.
 */
const STATES_MAX = 5_000

/** A test with a pattern for each value. */
interface PatternTest {
  readonly operator?: string
  readonly values?: readonly string[]
}

export const TOO_MANY_STATES = `makes the patterns too large together: at most ${STATES_MAX} states, about as many as characters`

/** Returns whether the values of a test are patterns. */
export const hasPatterns = ({ operator }: PatternTest): boolean =>
  isOperator(operator) && operatorKind(operator) === 'pattern'

/**
 * Returns a function that measures one pattern after the other: its fault, or `TOO_MANY_STATES` for the one
 * that exceeds the bound, and null while all is well. Nothing is compiled after the bound.
 */
export function createPatternBudget(): (pattern: string) => string | null {
  const known = new Map<string, ReturnType<typeof measurePattern>>()
  let states = 0
  return (pattern) => {
    if (states > STATES_MAX) return TOO_MANY_STATES
    const found = known.get(pattern) ?? measurePattern(pattern)
    known.set(pattern, found)
    if (typeof found !== 'number')
      return `is not a pattern that Burgee can match: it ${found.message} (at character ${found.index + 1})`
    states += found
    return states > STATES_MAX ? TOO_MANY_STATES : null
  }
}
