/** A set of states, one bit for each. The word before the first and the two behind the last stay empty. */
export type StateSet = Int32Array

/** Creates an empty set for states below `size`. */
export const createSet = (size: number): StateSet => new Int32Array((size >> 5) + 4)

/** The word of a state. */
export const wordOf = (state: number) => (state >> 5) + 1

/** Returns 1 for a state of the set, else 0. */
export const has = (set: StateSet, state: number): number => ((set[wordOf(state)] as number) >>> state) & 1

export function add(set: StateSet, state: number): void {
  set[wordOf(state)] = (set[wordOf(state)] as number) | (1 << state)
}

/** Adds all states of another set. */
export function addAll(set: StateSet, others: StateSet): void {
  for (let word = 1; word < set.length; word++) set[word] = (set[word] as number) | (others[word] as number)
}
