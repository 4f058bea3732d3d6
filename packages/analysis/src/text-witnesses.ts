import type { Condition } from '@burgee/evaluation'
import { createPauses } from './limits.ts'
import { longWitnesses } from './long-witnesses.ts'
import { charactersOf } from './pattern-characters.ts'
import { createPatternStep, type PatternStep, type Step } from './pattern-step.ts'
import type { Steps } from './steps.ts'

/** The most states of the product of all text tests of an attribute. */
const STATES_MAX = 20_000
/** More characters than this end without a result. */
const STEPS_MAX = 1_000_000

type Kind = 'equals' | 'contains' | 'starts_with' | 'ends_with' | 'matches'
export type TextTest = { readonly operator: Kind; readonly value: string }

/**
 * Returns one text for each state of the product of the tests, shortest first: every combination of tests
 * that some text meets is met by one of them. Null beyond the bounds.
 */
export function* textWitnesses(tests: readonly TextTest[], spendTime: () => void): Steps<string[] | null> {
  const patterns = tests.filter(({ operator }) => operator === 'matches').map(({ value }) => value)
  const compiled = patterns.map(createPatternStep)
  const plain = tests.filter(({ operator }) => operator !== 'matches')
  const alphabet = yield* alphabetOf(plain, patterns, compiled, spendTime)
  const plainSteps = plain.map(stepOf)
  const steps = [...plainSteps, ...compiled.map(({ step }) => step)]
  const found = yield* product(steps, alphabet, spendTime)
  if (!found || patterns.length === 0) return found
  // No pattern matches a longer text, whatever the other tests are.
  const isShort = plain.every(({ value }) => value.length <= 256)
  const long = isShort ? yield* longWitnesses(plainSteps, alphabet, spendTime) : null
  return long && [...found, ...long]
}

function* product(
  steps: readonly Step[],
  alphabet: readonly string[],
  spendTime: () => void,
): Steps<string[] | null> {
  const start = steps.map(() => 0)
  const seen = new Set<string>([start.join()])
  const queue: { text: string; states: number[] }[] = [{ text: '', states: start }]
  let taken = 0
  const isDue = createPauses(spendTime)
  for (const { text, states } of queue) {
    spendTime()
    yield
    for (const character of alphabet) {
      taken += steps.length
      if (isDue(steps.length)) yield
      const next = states.map((state, index) => steps[index]?.(state, character) ?? 0)
      const key = next.join()
      if (seen.has(key)) continue
      if (seen.size >= STATES_MAX || taken > STEPS_MAX) return null
      seen.add(key)
      queue.push({ text: text + character, states: next })
    }
  }
  return queue.map(({ text }) => text)
}

/** Returns one character for each kind between which the tests can distinguish. */
function* alphabetOf(
  plain: readonly TextTest[],
  patterns: readonly string[],
  compiled: readonly PatternStep[],
  spendTime: () => void,
): Steps<string[]> {
  const characters = [...new Set(plain.flatMap(({ value }) => [...value]))]
  const fresh = freshCharacter([...characters, ...patterns])
  const found = new Map<string, string>()
  const add = (character: string, own: string) => {
    spendTime()
    const code = character.codePointAt(0) ?? 0
    const signature = own + compiled.map(({ signatureOf }) => signatureOf(code)).join()
    if (!found.has(signature)) found.set(signature, character)
  }
  for (const character of characters) add(character, character)
  add(fresh, '')
  if (patterns.length === 0) return [...found.values()]
  const own = new Set(characters)
  for (const code of charactersOf(patterns)) {
    yield
    const character = String.fromCodePoint(code)
    if (!own.has(character)) add(character, '')
  }
  return [...found.values()]
}

/** Returns a letter that none of the texts has. */
function freshCharacter(used: readonly string[]): string {
  let code = 'x'.charCodeAt(0)
  while (used.some((text) => text.includes(String.fromCharCode(code)))) code++
  return String.fromCharCode(code)
}

/** The state is the characters of the value that have been read, -1 where the test cannot hold any more. */
function stepOf({ operator, value }: TextTest): Step {
  const characters = [...value]
  const size = characters.length
  if (operator === 'equals' || operator === 'starts_with')
    return (state, character) => {
      if (state === size && operator === 'starts_with') return size
      return state >= 0 && characters[state] === character ? state + 1 : -1
    }
  const borders = bordersOf(characters)
  return (state, character) => {
    if (state === size && operator === 'contains') return size
    return extend(characters, borders, state, character)
  }
}

/** Returns the length of the longest prefix that ends the first `length` characters and this one. */
function extend(
  characters: readonly string[],
  borders: readonly number[],
  length: number,
  character: string,
): number {
  let kept = length
  while (kept > 0 && characters[kept] !== character) kept = borders[kept] ?? 0
  return characters[kept] === character ? kept + 1 : 0
}

/** Returns for each length the longest shorter prefix that also ends the first `length` characters. */
function bordersOf(characters: readonly string[]): number[] {
  const borders = [0, 0]
  for (let length = 1; length < characters.length; length++)
    borders.push(extend(characters, borders, borders[length] ?? 0, characters[length] ?? ''))
  return borders
}

const KINDS = new Set<string>(['equals', 'contains', 'starts_with', 'ends_with', 'matches'])

/** Returns whether the operator is one of those that the product holds. */
export const isTextTest = (operator: Condition['operator']): operator is Kind => KINDS.has(operator)
