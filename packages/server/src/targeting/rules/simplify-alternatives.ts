import type { Condition, JsonValue } from '@burgee/evaluation'
import { negate } from './complement.ts'
import { bothPaths, type Path } from './rule-origins.ts'

/** Conditions that hold together, one of several ways in which a rule can match. */
export interface Alternative {
  readonly conditions: readonly Condition[]
  /** The characters of their JSON. */
  readonly jsonLength: number
  /** The value of the segment's rule that it comes from. */
  readonly variant?: JsonValue | undefined
  /** The segments that it comes through; absent where that was not requested. */
  readonly path?: Path | undefined
}

/** More alternatives are not compared with each other. */
const COMPARED_MAX = 100

/**
 * Returns a function that gives every pair of two lists as one alternative, without what changes no result:
 * repeated conditions, pairs that contradict themselves, and those that only match users whom an earlier one
 * matches. Without it, references that are combined would soon exceed the bounds of a flag.
 *
 * It knows conditions by numbers, so that a pair costs what the number of conditions costs, whatever their
 * length.
 */
export function createPairs(): (
  left: readonly Alternative[],
  right: readonly Alternative[],
) => readonly Alternative[] {
  const numbers = numberConditions()

  function toNumbered(alternative: Alternative): Numbered {
    const distinct = new Map(alternative.conditions.map((condition) => [numbers.of(condition), condition]))
    const negations = [...distinct.values()].map(numbers.ofNegation).filter((number) => number !== NONE)
    return {
      alternative,
      distinct,
      sorted: [...distinct.keys()].sort((one, other) => one - other),
      negations,
      isContradiction: negations.some((number) => distinct.has(number)),
    }
  }

  function join(first: Numbered, second: Numbered): Alternative {
    const distinct = new Map([...first.distinct, ...second.distinct])
    let jsonLength = 0
    for (const number of distinct.keys()) jsonLength += numbers.lengthOf(number)
    const path = bothPaths(first.alternative.path, second.alternative.path)
    const { variant } = first.alternative
    return { conditions: [...distinct.values()], jsonLength, variant, path }
  }

  return (left, right) => {
    const isComparable = left.length * right.length <= COMPARED_MAX
    const seconds = right.map(toNumbered)
    const earlier: ReadonlySet<number>[] = []
    const kept: Alternative[] = []
    const seen = new Set<string>()
    for (const first of left.map(toNumbered)) {
      for (const second of seconds) {
        if (contradict(first, second)) continue
        const held = merge(first.sorted, second.sorted)
        const identity = held.join()
        if (seen.has(identity)) continue
        seen.add(identity)
        if (isComparable) {
          const own = new Set(held)
          if (earlier.some((part) => isSubset(part, own))) continue
          earlier.push(own)
        }
        kept.push(join(first, second))
      }
    }
    return kept
  }
}

/** An alternative with its conditions by number. */
interface Numbered {
  readonly alternative: Alternative
  /** Its conditions without repeated ones. */
  readonly distinct: ReadonlyMap<number, Condition>
  readonly sorted: readonly number[]
  /** The numbers of the conditions that contradict its own. */
  readonly negations: readonly number[]
  readonly isContradiction: boolean
}

const contradict = (first: Numbered, second: Numbered): boolean =>
  first.isContradiction ||
  second.isContradiction ||
  first.negations.some((number) => second.distinct.has(number)) ||
  second.negations.some((number) => first.distinct.has(number))

/** Merges two sorted lists without repeated numbers. */
function merge(one: readonly number[], other: readonly number[]): number[] {
  const merged: number[] = []
  let [at, to] = [0, 0]
  while (at < one.length || to < other.length) {
    const [first = Number.POSITIVE_INFINITY, second = Number.POSITIVE_INFINITY] = [one[at], other[to]]
    merged.push(Math.min(first, second))
    if (first <= second) at += 1
    if (second <= first) to += 1
  }
  return merged
}

function isSubset(part: ReadonlySet<number>, whole: ReadonlySet<number>): boolean {
  if (part.size > whole.size) return false
  for (const number of part) if (!whole.has(number)) return false
  return true
}

/** The number of what has no negation by one condition. */
const NONE = -1

/** Gives equal conditions the same number. They are shared by many alternatives: each is formatted once. */
function numberConditions() {
  const byText = new Map<string, number>()
  const lengths: number[] = []
  const own = new Map<Condition, number>()
  const negations = new Map<Condition, number>()

  function numberOf(condition: Condition): number {
    const text = JSON.stringify(condition)
    const known = byText.get(text)
    if (known !== undefined) return known
    byText.set(text, lengths.length)
    return lengths.push(text.length) - 1
  }

  return {
    of: (condition: Condition): number => remember(own, condition, () => numberOf(condition)),
    /** The number of the one condition that holds exactly when this one does not. */
    ofNegation: (condition: Condition): number =>
      remember(negations, condition, () => {
        const [negation, ...more] = negate(condition)
        return negation && more.length === 0 ? numberOf(negation) : NONE
      }),
    lengthOf: (number: number): number => lengths[number] ?? 0,
  }
}

function remember(known: Map<Condition, number>, condition: Condition, make: () => number): number {
  const number = known.get(condition) ?? make()
  known.set(condition, number)
  return number
}
