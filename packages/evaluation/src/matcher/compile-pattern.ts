import { parsePattern } from './parse-pattern.ts'
import { BEGIN, BOUNDARY, CLASS, END, LITERAL, MATCH, SPLIT } from './state.ts'

const PATTERN_MAX_LENGTH = 256
/** A longer subject never matches. Counted in code points. */
const SUBJECT_MAX_LENGTH = 512

/** Returns whether a text has more characters. Those beyond the basic plane are two units each. */
const isLonger = (text: string, length: number) =>
  text.length > length && (text.length > 2 * length || [...text].length > length)

/**
 * Compiles a pattern to a function that returns whether a text contains a match. Its time is the length of
 * the text multiplied by the size of the pattern: every state is visited at most once per character.
 *
 * @throws RangeError when the pattern is not valid; see `checkPattern`.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  if (isLonger(pattern, PATTERN_MAX_LENGTH)) throw new RangeError('12', { cause: 0 })
  const { states, start } = parsePattern(pattern)
  // Lists of numbers are several times faster here than objects.
  const kinds = Uint8Array.from(states, ({ kind }) => kind)
  const codes = Int32Array.from(states, ({ code }) => code)
  const followers = Int32Array.from(states, ({ next }) => next)
  const others = Int32Array.from(states, ({ other }) => other)
  /** The step that visited a state last. Steps never repeat, also from one search to the next. */
  const visits = new Float64Array(states.length)
  let step = 0
  // A step enters every state and its second way at most, and the start.
  let entered = new Int32Array(2 * states.length + 1)
  let entering = new Int32Array(2 * states.length + 1)

  return (text) => {
    if (isLonger(text, SUBJECT_MAX_LENGTH)) return false
    // K. Thompson, "Regular Expression Search Algorithm", 1968: all ways through the automaton at once.
    let size = 0
    let before = -1
    for (let at = 0; ; at += before > 0xffff ? 2 : 1) {
      const code = text.codePointAt(at) ?? -1
      let count = 0
      step++
      entered[size++] = start
      while (size > 0) {
        let state = entered[--size] as number
        while (visits[state] !== step) {
          visits[state] = step
          const kind = kinds[state] as number
          if (kind === MATCH) return true
          if (kind === SPLIT) entered[size++] = others[state] as number
          else if (kind === LITERAL || kind === CLASS) {
            if (kind === LITERAL ? codes[state] === code : code >= 0 && states[state]?.test?.(code))
              entering[count++] = followers[state] as number
            break
          } else if (!holds(kind, before, code)) break
          state = followers[state] as number
        }
      }
      // A pattern that begins with ^ is not tried again behind the begin.
      if (code < 0 || (count === 0 && kinds[start] === BEGIN)) return false
      before = code
      size = count
      ;[entered, entering] = [entering, entered]
    }
  }
}

/** Returns whether an assertion holds between two characters; -1 is the begin or end of the text. */
function holds(kind: number, before: number, after: number): boolean {
  if (kind === BEGIN) return before < 0
  if (kind === END) return after < 0
  return (isWord(before) !== isWord(after)) === (kind === BOUNDARY)
}

/** By ASCII only, as in RE2. */
const isWord = (code: number) => code >= 0 && /\w/.test(String.fromCodePoint(code))
