import { createClosures, isWord } from './closures.ts'
import { isLonger, parsePattern } from './parse-pattern.ts'
import { addMoved, listShifts } from './shifts.ts'
import { BEGIN, CLASS, LITERAL, type State } from './state.ts'
import { add, addAll, createSet, has, type StateSet } from './state-set.ts'

/** A longer subject never matches. Counted in code points. */
export const SUBJECT_MAX_LENGTH = 512
/** The steps of a search for each character, of each state and of each class of characters. */
const CHARACTER_STEPS = 256
const STATE_STEPS = 2
const CLASS_STEPS = 32
/** The words of sets that a pattern keeps from one search to the next, of steps and of characters. */
const KEPT_WORDS = 4096
/** That of FNV-1a. */
const HASH_FACTOR = 0x01000193

/** The states between two characters, with the nodes or the result behind each character. */
interface Node {
  /**
   * The states of the NFA to which the character before leads. One that takes no character stands for its
   * epsilon closure.
   */
  readonly states: StateSet
  /** The character before: -1 at the begin, otherwise one of the same kind. */
  readonly before: number
  readonly moves: Map<number, Node | boolean>
}

/** Returns whether a text contains a match. */
type Pattern = ((text: string) => boolean) & {
  /** The steps of a search for each character of the text (docs/reference/operators.md#cost). */
  readonly steps: number
}

/** The moves of a node that is not kept: once it is made, there is no room for any. */
const NO_MOVES: Node['moves'] = new Map()

/**
 * Compiles a pattern to a function that returns whether a text contains a match. Its time is the length of
 * the text multiplied by the size of the pattern, of which 32 states move at once. Steps that were taken
 * before are remembered, within bounds, and take no time that depends on the pattern.
 *
 * @throws RangeError when the pattern is not valid; see `checkPattern`.
 */
export function compilePattern(pattern: string): Pattern {
  const { states, start } = parsePattern(pattern)
  const shifts = listShifts(states)
  const close = createClosures(states, start)
  const takersOf = createTakers(states)
  const nodes = new Map<number, Node>()
  let room = KEPT_WORDS

  /** K. Thompson, "Regular Expression Search Algorithm", 1968: all ways through the automaton at once. */
  function move({ states: from, before }: Node, code: number): Node | boolean {
    const now = close(from, before, code)
    // The match is the first state.
    if (has(now, 0)) return true
    if (code < 0) return false
    const takers = takersOf(code)
    const behind = createSet(states.length)
    let alive = 0
    for (let word = 1; word < now.length; word++) {
      now[word] = (now[word] as number) & (takers[word] as number)
      alive |= now[word] as number
    }
    // A pattern that begins with ^ is not tried again behind the begin.
    if (alive === 0 && states[start]?.kind === BEGIN) return false
    if (alive !== 0) for (const shift of shifts) addMoved(behind, now, shift)
    return node(behind, code)
  }

  function node(behind: StateSet, before: number): Node {
    if (room < 0) return { states: behind, before, moves: NO_MOVES }
    // Sets with the same hash are compared, and a second one with it is not found again.
    const kind = Number(isWord(before))
    const key = behind.reduce((hash, word) => Math.imul(hash ^ word, HASH_FACTOR), kind)
    const known = nodes.get(key)
    if (
      known &&
      Number(isWord(known.before)) === kind &&
      known.states.every((word, at) => word === behind[at])
    )
      return known
    const made: Node = { states: behind, before, moves: new Map() }
    room -= behind.length
    nodes.set(key, made)
    return made
  }

  const begin: Node = { states: createSet(states.length), before: -1, moves: new Map() }
  function isIn(text: string): boolean {
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
  // Copies of a part have the same test.
  const classes = new Set(states.map(({ test }) => test ?? null)).size - 1
  const steps = CHARACTER_STEPS + STATE_STEPS * states.length + CLASS_STEPS * classes
  return Object.assign(isIn, { steps })
}

/** Creates the function that returns the states which take a character. */
function createTakers(states: readonly State[]): (code: number) => StateSet {
  /** Copies of a part have the same test. */
  const sets = new Map<State['test'] | number, StateSet>()
  for (const [state, { kind, code, test }] of states.entries()) {
    if (kind !== LITERAL && kind !== CLASS) continue
    const set = sets.get(test ?? code) ?? createSet(states.length)
    sets.set(test ?? code, set)
    add(set, state)
  }
  const known = new Map<number, StateSet>()
  return (code) => {
    const found = known.get(code)
    if (found) return found
    const takers = createSet(states.length)
    for (const [test, set] of sets) {
      if (typeof test === 'number' ? test === code : test?.(code)) addAll(takers, set)
    }
    if (known.size * takers.length < KEPT_WORDS) known.set(code, takers)
    return takers
  }
}
