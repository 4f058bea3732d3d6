import { compilePattern, measurePattern } from '@burgee/evaluation'

/** The states that one step of a check enters. */
const STATES_PER_STEP = 10
/** A longer text never matches. */
const TEXT_MAX_LENGTH = 1_024

/** A regular expression that is matched in linear time: the interpreter of schemas calls its `test`. */
export class LinearPattern extends RegExp {
  readonly #pattern: string
  readonly #matches: (text: string) => boolean
  readonly #states: number
  readonly #spend: (steps: number) => void

  /** @param spend Called before each match with the steps that it takes. */
  constructor(pattern: string, spend: (steps: number) => void) {
    super('')
    this.#pattern = pattern
    this.#matches = compilePattern(pattern)
    this.#states = Number(measurePattern(pattern))
    this.#spend = spend
    spend(this.#states)
  }

  override test(text: string): boolean {
    this.#spend((Math.min(text.length, TEXT_MAX_LENGTH) * this.#states) / STATES_PER_STEP)
    return this.#matches(text)
  }

  /** The text of the pattern, for messages. */
  override toString(): string {
    return this.#pattern
  }
}
