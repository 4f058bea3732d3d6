import { parsePattern } from '../../evaluation/src/matcher/parse-pattern.ts'
import {
  BEGIN,
  BOUNDARY,
  CLASS,
  END,
  LITERAL,
  MATCH,
  SPLIT,
  type State,
} from '../../evaluation/src/matcher/state.ts'

/** The state of one test behind a further character. */
export type Step = (state: number, character: string) => number

/** A pattern as a test of the product. */
export interface PatternStep {
  readonly step: Step
  /** Returns a text that is equal for two characters between which the pattern cannot distinguish. */
  signatureOf(code: number): string
}

const FOUND = -1
const LOST = -2

const isWord = (code: number) => code >= 0 && /\w/.test(String.fromCodePoint(code))

/** Compiles a pattern to a deterministic automaton, whose states are made when they are reached. */
export function createPatternStep(pattern: string): PatternStep {
  const { states, start } = parsePattern(pattern)
  const nodes: { states: number[]; before: number; moves: Map<string, number> }[] = []
  const known = new Map<string, number>()

  function nodeOf(following: number[], before: number): number {
    const key = `${before < 0 ? 'begin' : isWord(before)} ${following.sort((a, b) => a - b)}`
    const found = known.get(key) ?? nodes.push({ states: following, before, moves: new Map() }) - 1
    known.set(key, found)
    return found
  }

  nodeOf([], -1)
  const step: Step = (state, character) => {
    const node = nodes[state]
    if (!node) return state
    const moved = node.moves.get(character)
    if (moved !== undefined) return moved
    const code = character.codePointAt(0) ?? -1
    const following = follow(states, [...node.states, start], node.before, code)
    const isLost = following?.size === 0 && states[start]?.kind === BEGIN
    const next = following === null ? FOUND : isLost ? LOST : nodeOf([...following], code)
    node.moves.set(character, next)
    return next
  }
  const consuming = states.filter(({ kind }) => kind === LITERAL || kind === CLASS)
  const signatureOf = (code: number) =>
    consuming.map((state) => (consumes(state, code) ? 1 : 0)).join('') + isWord(code)
  return { step, signatureOf }
}

const consumes = ({ kind, code, test }: State, character: number): boolean =>
  kind === LITERAL ? code === character : kind === CLASS && test?.(character) === true

/** Returns the states behind a character, null where the match is found before it. */
function follow(
  states: readonly State[],
  from: readonly number[],
  before: number,
  code: number,
): Set<number> | null {
  const visited = new Set<number>()
  const following = new Set<number>()
  const open = [...from]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const state = states[index]
    if (!state || visited.has(index)) continue
    visited.add(index)
    const { kind, next, other } = state
    if (kind === MATCH) return null
    if (kind === SPLIT) open.push(next, other)
    else if (kind === LITERAL || kind === CLASS) {
      if (consumes(state, code)) following.add(next)
    } else if (holds(kind, before, code)) open.push(next)
  }
  return following
}

/** Returns whether an assertion holds before a character, which is never the end. */
function holds(kind: number, before: number, after: number): boolean {
  if (kind === BEGIN) return before < 0
  if (kind === END) return false
  return (isWord(before) !== isWord(after)) === (kind === BOUNDARY)
}
