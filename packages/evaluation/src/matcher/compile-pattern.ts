import { isLonger, parsePattern } from './parse-pattern.ts'
import { BEGIN, BOUNDARY, CLASS, END, LITERAL, MATCH, SPLIT } from './state.ts'

/** A longer subject never matches. Counted in code points. */
const SUBJECT_MAX_LENGTH = 512

/** The numbers of states, in all nodes of a pattern, that are kept from one search to the next. */
const KEPT_STATES = 4096

/** A set of states between two characters, with the nodes or the answer behind each character. */
interface Node {
  readonly states: Int32Array
  /** The character before: -1 at the begin, otherwise one of the same kind. */
  readonly before: number
  readonly moves: Map<number, Node | boolean>
}

/**
 * Compiles a pattern to a function that returns whether a text contains a match. Its time is the length of
 * the text multiplied by the size of the pattern: every state is visited at most once per character. Steps
 * that were taken before are remembered, within bounds, and take no time that depends on the pattern.
 *
 * @throws RangeError when the pattern is not valid; see `checkPattern`.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const { states, start } = parsePattern(pattern)
  // Lists of numbers are several times faster here than objects.
  const listOf = (field: 'kind' | 'code' | 'next' | 'other') =>
    Int32Array.from(states, (state) => state[field])
  const kinds = listOf('kind')
  const codes = listOf('code')
  const followers = listOf('next')
  const others = listOf('other')
  /** The step that visited a state last. */
  const visits = new Float64Array(states.length)
  let step = 0
  // A step enters every state and its second way at most, and the start.
  const entered = new Int32Array(2 * states.length + 1)
  const entering = new Int32Array(2 * states.length + 1)
  const nodes = new Map<string, Node>()
  let room = KEPT_STATES

  /** K. Thompson, "Regular Expression Search Algorithm", 1968: all ways through the automaton at once. */
  function move({ before, states: from }: Node, code: number): Node | boolean {
    let size = from.length
    let count = 0
    step++
    entered.set(from)
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
    return code >= 0 && (count > 0 || kinds[start] !== BEGIN) && node(entering.slice(0, count), code)
  }

  function node(states: Int32Array, before: number): Node {
    const made: Node = { states, before, moves: new Map() }
    if (room < 0) return made
    const key = `${isWord(before)}${states}`
    const known = nodes.get(key)
    if (known) return known
    room -= states.length + 1
    nodes.set(key, made)
    return made
  }

  const begin: Node = { states: new Int32Array(), before: -1, moves: new Map() }
  return (text) => {
    if (isLonger(text, SUBJECT_MAX_LENGTH)) return false
    let found: Node | boolean = begin
    for (let at = 0; typeof found === 'object'; at++) {
      const code = text.codePointAt(at) ?? -1
      if (code > 0xffff) at++
      const { moves }: Node = found
      let next = moves.get(code)
      if (next === undefined) {
        next = move(found, code)
        if (room-- > 0) moves.set(code, next)
      }
      found = next
    }
    return found
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
