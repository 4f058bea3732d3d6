/** Returns whether a code point is in a class. */
export type CharacterTest = (code: number) => boolean

/** A state of an automaton. */
export interface State {
  /** SPLIT, LITERAL, CLASS, MATCH, or an assertion. */
  readonly kind: number
  /** The code point of a LITERAL. */
  readonly code: number
  /** The test of a CLASS. */
  readonly test: CharacterTest | null
  /** The number of the state that follows. */
  next: number
  /** The number of the second state of a SPLIT. */
  other: number
}

export const SPLIT = 0
export const LITERAL = 1
export const CLASS = 2
export const MATCH = 3
export const BEGIN = 4
export const END = 5
export const BOUNDARY = 6
const NO_BOUNDARY = 7

/** The assertions by the character, or the letter behind a backslash, that writes them. */
export const ASSERTIONS: Readonly<Record<string, number>> = {
  '^': BEGIN,
  A: BEGIN,
  $: END,
  z: END,
  b: BOUNDARY,
  B: NO_BOUNDARY,
}
