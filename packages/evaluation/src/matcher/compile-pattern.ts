import { parsePattern } from './parse-pattern.ts'
import { BEGIN, BOUNDARY, CLASS, END, LITERAL, MATCH, SPLIT, type State } from './state.ts'

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
  const start = parsePattern(pattern)
  // Steps never repeat, also from one search to the next.
  let step = 0
  return (text) => {
    if (isLonger(text, SUBJECT_MAX_LENGTH)) return false
    // K. Thompson, "Regular Expression Search Algorithm", 1968: all ways through the automaton at once.
    let entered: State[] = []
    let before = -1
    for (let at = 0; ; at += before > 0xffff ? 2 : 1) {
      const code = text.codePointAt(at) ?? -1
      const entering: State[] = []
      step++
      entered.push(start)
      for (;;) {
        let state = entered.pop()
        if (!state) break
        while (state.step !== step) {
          state.step = step
          const { kind, next }: State = state
          if (kind === MATCH) return true
          if (kind === SPLIT) entered.push(state.other as State)
          else if (kind === LITERAL || kind === CLASS) {
            if (kind === LITERAL ? state.code === code : code >= 0 && state.test?.(code)) entering.push(next)
            break
          } else if (!holds(kind, before, code)) break
          state = next
        }
      }
      if (code < 0) return false
      before = code
      entered = entering
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
