import { PatternError } from './pattern-error.ts'

export const MAX_STATES = 1000
const TOO_LARGE = `needs more than ${MAX_STATES} states`

export const MATCH = 0
export const SPLIT = 1
export const LITERAL = 2
export const CLASS = 3
export const BEGIN = 4
export const END = 5
export const BOUNDARY = 6
export const NO_BOUNDARY = 7

/** The states of an automaton, as lists of numbers. State 0 is the match. */
export interface Program {
  readonly operations: number[]
  /** The code point of a LITERAL, the index of a CLASS, the second way of a SPLIT. */
  readonly operands: number[]
  /** The state that follows. */
  readonly followers: number[]
  readonly classes: ((code: number) => boolean)[]
  /** The number of repetitions of parts so far. */
  copies: number
}

/** A part of a pattern: adds its states before a state that follows, and returns where they begin. */
export type Part = (program: Program, next: number) => number

export const createProgram = (): Program => ({
  operations: [MATCH],
  operands: [0],
  followers: [0],
  classes: [],
  copies: 0,
})

/** Adds a state. */
export function addState(
  { operations, operands, followers }: Program,
  operation: number,
  operand: number,
  next: number,
): number {
  // The match itself does not count.
  if (operations.length > MAX_STATES) throw new PatternError(TOO_LARGE, 0)
  operands.push(operand)
  followers.push(next)
  return operations.push(operation) - 1
}

export const state =
  (operation: number, operand = 0): Part =>
  (program, next) =>
    addState(program, operation, operand, next)

export const sequence =
  (parts: readonly Part[]): Part =>
  (program, next) =>
    parts.reduceRight((following, part) => part(program, following), next)

export const either =
  (first: Part, second: Part): Part =>
  (program, next) =>
    addState(program, SPLIT, second(program, next), first(program, next))

/**
 * The part `least` to `most` times; every copy has its own states. Copies are bounded for themselves, because
 * those of an empty part add no state.
 */
export const repeat =
  (part: Part, least: number, most: number): Part =>
  (program, next) => {
    let copies = least
    let start = next
    const add = (following: number): number => {
      if (++program.copies > MAX_STATES) throw new PatternError(TOO_LARGE, 0)
      return part(program, following)
    }
    if (most === Number.POSITIVE_INFINITY) {
      const split = addState(program, SPLIT, next, next)
      start = add(split)
      program.followers[split] = start
      if (least === 0) start = split
      else copies--
    } else for (let copy = least; copy < most; copy++) start = addState(program, SPLIT, start, add(start))
    while (copies-- > 0) start = add(start)
    return start
  }
