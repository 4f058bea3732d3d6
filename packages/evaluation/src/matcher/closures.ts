import { isLast } from './shifts.ts'
import { BEGIN, BOUNDARY, END, MATCH, SPLIT, type State } from './state.ts'
import { add, addAll, createSet, has, type StateSet } from './state-set.ts'

/** The bound on kept epsilon closures, in words of their sets, for all places of a text together. */
const KEPT_WORDS = 65_536

/**
 * Creates the function that adds to a set the start, and all states that follow its states without a
 * character. The result is one set, which each call replaces.
 */
export function createClosures(
  states: readonly State[],
  start: number,
): (from: StateSet, before: number, after: number) => StateSet {
  const size = states.length
  const kinds = Int32Array.from(states, ({ kind }) => kind)
  const nexts = Int32Array.from(states, ({ next }) => next)
  const others = Int32Array.from(states, ({ kind, next, other }) => (kind === SPLIT ? other : next))
  const lasts = createSet(size)
  for (const [state, each] of states.entries()) if (isLast(each)) add(lasts, state)
  const hasAssertions = kinds.some((kind) => kind > MATCH)
  const now = createSet(size)
  /** The closures of states, by what assertions depend on. */
  let tables: StateSet[][] = []
  let table: StateSet[] = []
  let room = 0
  let before = 0
  let after = 0

  const isPassed = (state: number) => {
    const kind = kinds[state] as number
    return kind === SPLIT || holds(kind, before, after)
  }

  /** Adds a state to the set of a closure. Returns whether the caller has to follow it. */
  function enter(set: StateSet, state: number, root: number): boolean {
    if (has(set, state)) return false
    const isEnd = has(lasts, state) !== 0
    if (isEnd || state >= root) add(set, state)
    else addAll(set, closureOf(state))
    return !isEnd && state >= root
  }

  /** Ways lead to lower states, except for those of loops: lower states have closures of their own. */
  function closureOf(root: number): StateSet {
    const known = table[root]
    if (known) return known
    const set = createSet(size)
    const open = enter(set, root, root) ? [root] : []
    // An array grows while it is iterated.
    for (const state of open) {
      if (!isPassed(state)) continue
      for (const next of [nexts[state] as number, others[state] as number])
        if (enter(set, next, root)) open.push(next)
    }
    room -= set.length
    table[root] = set
    return set
  }

  return (from, charBefore, charAfter) => {
    before = charBefore
    after = charAfter
    if (room < 0) tables = []
    if (room <= 0) room = KEPT_WORDS
    const place = hasAssertions
      ? Number(before < 0) + Number(after < 0) * 2 + Number(isWord(before) !== isWord(after)) * 4
      : 0
    tables[place] ??= []
    table = tables[place]
    for (let word = 1; word < now.length; word++) now[word] = (from[word] as number) & (lasts[word] as number)
    enter(now, start, size)
    for (let word = now.length; word-- > 1; ) {
      let open = (from[word] as number) & ~(lasts[word] as number) & ~(now[word] as number)
      while (open !== 0) {
        const bit = 31 - Math.clz32(open)
        const state = ((word - 1) << 5) | bit
        const next = nexts[state] as number
        const other = others[state] as number
        // Usually a state before has led there.
        if (!(has(now, next) && has(now, other)) && isPassed(state)) {
          enter(now, next, size)
          enter(now, other, size)
          open &= ~(now[word] as number)
        }
        open &= ~(1 << bit)
      }
    }
    return now
  }
}

/** Returns whether an assertion holds between two characters; -1 is the begin or end of the text. */
function holds(kind: number, before: number, after: number): boolean {
  if (kind === BEGIN) return before < 0
  if (kind === END) return after < 0
  return (isWord(before) !== isWord(after)) === (kind === BOUNDARY)
}

/** By ASCII only, as in RE2. */
export const isWord = (code: number): boolean => code >= 0 && /\w/.test(String.fromCodePoint(code))
