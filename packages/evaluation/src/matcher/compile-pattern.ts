import { parsePattern } from './parse-pattern.ts'
import { PatternError } from './pattern-error.ts'
import { BEGIN, BOUNDARY, CLASS, createProgram, END, LITERAL, MATCH, type Program, SPLIT } from './program.ts'

export const PATTERN_MAX_LENGTH = 256
/** A longer subject never matches. Counted in code points. */
export const SUBJECT_MAX_LENGTH = 512

/**
 * Compiles a pattern to a function that returns whether a text contains a match. Its time is the length of
 * the text multiplied by the size of the pattern: every state is visited at most once per character.
 *
 * @throws PatternError
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  if (pattern.length > PATTERN_MAX_LENGTH && [...pattern].length > PATTERN_MAX_LENGTH)
    throw new PatternError(`is longer than ${PATTERN_MAX_LENGTH} characters`, 0)
  const program = createProgram()
  const start = parsePattern(pattern)(program, MATCH)
  const search = createSearch(program, start)
  return (text) =>
    (text.length <= SUBJECT_MAX_LENGTH ||
      (text.length <= 2 * SUBJECT_MAX_LENGTH && [...text].length <= SUBJECT_MAX_LENGTH)) &&
    search(text)
}

/** Returns the fault of a pattern and its place, null for a pattern that `matches` can use. */
export function checkPattern(pattern: string): { message: string; index: number } | null {
  try {
    compilePattern(pattern)
    return null
  } catch (error) {
    if (error instanceof PatternError) return { message: error.message, index: error.index }
    throw error
  }
}

/** K. Thompson, "Regular Expression Search Algorithm", 1968: all ways through the automaton at once. */
function createSearch({ operations, operands, followers, classes }: Program, start: number) {
  const operationOf = Uint8Array.from(operations)
  const operandOf = Int32Array.from(operands)
  const followerOf = Int32Array.from(followers)
  // Marks of the step in which a state was visited, or a class tested, last. Steps never repeat.
  const visitedAt = new Float64Array(operations.length)
  const testedAt = new Float64Array(classes.length)
  const isInClass = new Uint8Array(classes.length)
  // Each step enters at most every state, its second way, and the start.
  let entered = new Int32Array(2 * operations.length + 1)
  let entering = new Int32Array(2 * operations.length + 1)
  let step = 0

  return (text: string): boolean => {
    let size = 0
    let before = -1
    for (let at = 0; ; ) {
      const code = text.codePointAt(at) ?? -1
      let count = 0
      step++
      entered[size++] = start
      while (size > 0) {
        let state = entered[--size] as number
        while (visitedAt[state] !== step) {
          visitedAt[state] = step
          const operation = operationOf[state]
          const operand = operandOf[state] as number
          if (operation === MATCH) return true
          if (operation === SPLIT) entered[size++] = operand
          else if (operation === LITERAL || operation === CLASS) {
            if (operation === CLASS && testedAt[operand] !== step) {
              testedAt[operand] = step
              isInClass[operand] = code >= 0 && classes[operand]?.(code) ? 1 : 0
            }
            if (operation === LITERAL ? operand === code : isInClass[operand])
              entering[count++] = followerOf[state] as number
            break
          } else if (!holds(operation as number, before, code)) break
          state = followerOf[state] as number
        }
      }
      if (code < 0) return false
      at += code > 0xffff ? 2 : 1
      before = code
      size = count
      ;[entered, entering] = [entering, entered]
    }
  }
}

/** Returns whether an assertion holds between two characters; -1 is the begin or end of the text. */
function holds(operation: number, before: number, after: number): boolean {
  if (operation === BEGIN) return before < 0
  if (operation === END) return after < 0
  return (isWord(before) !== isWord(after)) === (operation === BOUNDARY)
}

/** By ASCII only, as in RE2. */
const isWord = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
