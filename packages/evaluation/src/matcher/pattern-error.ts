/** The fault of a pattern, with its place in UTF-16 code units. */
export class PatternError extends Error {
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}
