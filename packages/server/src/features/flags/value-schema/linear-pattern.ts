import { compilePattern } from '@burgee/evaluation'

/** A regular expression that is matched in linear time: the interpreter of schemas calls its `test`. */
export class LinearPattern extends RegExp {
  readonly #matches: (text: string) => boolean

  constructor(pattern: string) {
    super('')
    this.#matches = compilePattern(pattern)
  }

  override test(text: string): boolean {
    return this.#matches(text)
  }
}
