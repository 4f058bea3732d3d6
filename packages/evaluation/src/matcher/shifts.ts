import { MATCH, SPLIT, type State } from './state.ts'
import { add, createSet, type StateSet, wordOf } from './state-set.ts'

/** The most states behind a character to which ways lead directly; others are looked up. */
const MAX_TARGETS = 12
const MAX_SEEN = 32

/** States at which a step ends: they take a character, or are the match. */
export const isLast = ({ kind }: State): boolean => kind > SPLIT && kind <= MATCH

/** The ways of one distance from states that take a character to states behind it. */
export interface Shift {
  readonly distance: number
  readonly moving: StateSet
  /** The first and the last word of `moving` that hold a state. */
  readonly low: number
  high: number
}

/**
 * Groups the ways behind a character by their distance. Copies of a repeated part have the same distances, so
 * that all of them move together. A way leads to the states that take the next character, or to the state
 * before them when they are many or depend on an assertion.
 */
export function listShifts(states: readonly State[]): Shift[] {
  const shifts = new Map<number, Shift>()
  const known: number[][] = []
  for (const [state, { kind, next }] of states.entries()) {
    if (kind >= MATCH || kind === SPLIT) continue
    known[next] ??= targetsOf(states, next)
    for (const target of known[next]) {
      const distance = target - state
      const high = wordOf(state)
      const shift = shifts.get(distance) ?? { distance, moving: createSet(states.length), low: high, high }
      shifts.set(distance, shift)
      add(shift.moving, state)
      shift.high = high
    }
  }
  return [...shifts.values()]
}

function targetsOf(states: readonly State[], first: number): number[] {
  // A set grows while it is iterated.
  const seen = new Set([first])
  const found: number[] = []
  for (const each of seen) {
    const state = states[each] as State
    if (isLast(state)) found.push(each)
    else if (state.kind === SPLIT && found.length <= MAX_TARGETS && seen.size <= MAX_SEEN)
      seen.add(state.next).add(state.other)
    else return [first]
  }
  return found
}

/** Adds the states of `from` that a shift moves, where they move to. */
export function addMoved(set: StateSet, from: StateSet, { distance, moving, low, high }: Shift): void {
  const bits = distance & 31
  for (let word = low; word <= high; word++) {
    const moved = (from[word] as number) & (moving[word] as number)
    const at = word + (distance >> 5)
    if (moved === 0) continue
    set[at] = (set[at] as number) | (moved << bits)
    if (bits > 0) set[at + 1] = (set[at + 1] as number) | (moved >>> (32 - bits))
  }
}
