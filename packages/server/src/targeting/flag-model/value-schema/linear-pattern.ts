import { compilePattern, measurePattern } from '@burgee/evaluation'
import type { Spend } from '../../../kernel/check-budget.ts'

/** The steps to parse and compile one state, and one character. */
const STEPS_PER_STATE = 20
const STEPS_PER_CHARACTER = 1
/** The steps of a match, beside those of its characters. */
const STEPS_PER_MATCH = 3
/** The characters that one step reads, and the states of one character that one step enters. */
const CHARACTERS_PER_STEP = 2
const STATES_PER_STEP = 20
/**
 * A pattern remembers the moves that it has made. The first ones take longer: these are the characters, and
 * for each of them the steps and the states that one step enters.
 */
const FIRST_CHARACTERS = 60
const STEPS_PER_FIRST = 20
const STATES_PER_FIRST_STEP = 4
/** A longer text never matches. */
const TEXT_MAX_LENGTH = 1_024

/** A regular expression that is matched in linear time. */
export interface LinearPattern {
  readonly pattern: string
  matches(text: string): boolean
}

/**
 * Compiles a pattern. Returns what is wrong where it cannot be matched in linear time.
 *
 * @param spend Called before each match with the steps that it takes.
 */
export function createLinearPattern(
  pattern: string,
  spend: Spend,
): LinearPattern | Exclude<ReturnType<typeof measurePattern>, number> {
  spend(pattern.length * STEPS_PER_CHARACTER)
  const states = measurePattern(pattern)
  if (typeof states !== 'number') return states
  spend(states * STEPS_PER_STATE)
  const matches = compilePattern(pattern)
  let firstLeft = FIRST_CHARACTERS
  return {
    pattern,
    matches(text) {
      const length = Math.min(text.length, TEXT_MAX_LENGTH)
      const first = Math.min(length, firstLeft)
      firstLeft -= first
      spend(
        STEPS_PER_MATCH +
          length * (1 / CHARACTERS_PER_STEP + states / STATES_PER_STEP) +
          first * (STEPS_PER_FIRST + states / STATES_PER_FIRST_STEP),
      )
      return matches(text)
    },
  }
}
